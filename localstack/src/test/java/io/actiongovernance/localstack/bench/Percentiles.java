package io.actiongovernance.localstack.bench;

import java.util.List;

/** Percentiles of what was measured, by nearest rank. */
record Percentiles(List<Double> sorted) {
  Percentiles {
    sorted = sorted.stream().sorted().toList();
  }

  double at(int percent) {
    int rank = (int) Math.ceil(percent / 100.0 * sorted.size());
    return sorted.get(Math.max(rank, 1) - 1);
  }
}
