package io.actiongovernance.localstack.bench;

import io.actiongovernance.localstack.Service;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The heap that stays in use under steady load, minute by minute: {@code
 * -Dgovernance.bench.minutes}, 10 unless said otherwise.
 */
final class MemoryBench {
  private static final int PER_SECOND = 5;

  private MemoryBench() {}

  static List<Figures> run() throws Exception {
    int minutes = Integer.getInteger("governance.bench.minutes", 10);
    Figures figures = new Figures("memory", "minute", "actions", "heap in use, MB");
    try (Loop loop = new Loop(Service.governance())) {
      int actions = 0;
      for (int minute = 1; minute <= minutes; minute++) {
        long until = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (System.nanoTime() < until) {
          long next = System.nanoTime() + Duration.ofSeconds(1).toNanos() / PER_SECOND;
          loop.ingestAllowed("entity-" + actions % 100, "note " + actions);
          actions++;
          TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
        }
        while (loop.applied() < actions) {
          TimeUnit.MILLISECONDS.sleep(20);
        }
        figures.row(minute, actions, heapInUse());
      }
    }
    return List.of(figures);
  }

  static double heapInUse() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }
}
