package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.bench.Meter.Use;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What was asked of AWS by each function and by all, for one of so many times. */
final class UsesTable {
  private final Figures figures;
  private final int times;

  private UsesTable(Figures figures, int times) {
    this.figures = figures;
    this.times = times;
  }

  static Figures of(String name, List<Use> uses, int times) {
    Figures figures =
        new Figures(
            name,
            "function",
            "DynamoDB",
            "read units",
            "write units",
            "SQS",
            "Step Functions",
            "which");
    UsesTable table = new UsesTable(figures, times);
    uses.stream()
        .collect(Collectors.groupingBy(Use::function, TreeMap::new, Collectors.toList()))
        .forEach(table::row);
    table.row("all", uses);
    return figures;
  }

  private void row(String function, List<Use> uses) {
    figures.row(
        function,
        of(uses, "dynamodb"),
        uses.stream().mapToDouble(Use::reads).sum() / times,
        uses.stream().mapToDouble(Use::writes).sum() / times,
        of(uses, "sqs"),
        of(uses, "states"),
        uses.stream()
            .collect(Collectors.groupingBy(Use::operation, TreeMap::new, Collectors.counting()))
            .entrySet()
            .stream()
            .map(one -> one.getKey() + " " + (double) one.getValue() / times)
            .collect(Collectors.joining(", ")));
  }

  private double of(List<Use> uses, String service) {
    return (double) uses.stream().filter(use -> use.service().equals(service)).count() / times;
  }
}
