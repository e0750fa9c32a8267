package io.actiongovernance.localstack.bench;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * How long things took, to the millisecond, in memory that does not grow; what took longer than ten
 * seconds counts as that. Thread-safe.
 */
final class Latencies {
  private static final int LONGEST = 10_000;

  private final AtomicIntegerArray counts = new AtomicIntegerArray(LONGEST + 1);

  void add(Duration latency) {
    counts.incrementAndGet(Math.clamp(latency.toMillis(), 0, LONGEST));
  }

  int count() {
    int all = 0;
    for (int millis = 0; millis <= LONGEST; millis++) {
      all += counts.get(millis);
    }
    return all;
  }

  /** The percentile in milliseconds, by nearest rank; 0 of nothing. */
  int at(int percent) {
    long rank = Math.ceilDiv((long) percent * count(), 100);
    long seen = 0;
    for (int millis = 0; millis <= LONGEST; millis++) {
      seen += counts.get(millis);
      if (seen >= rank) {
        return millis;
      }
    }
    return LONGEST;
  }
}
