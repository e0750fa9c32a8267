package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.StreamSlots;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.localstack.Service;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Two hundred streams, as many for each of ten tenants as it may have, while events come in: how
 * long from acknowledgement to frame, and the heap that stays in use, minute by minute. Every
 * stream must tell of every event of its tenant, in the order of the log. {@code
 * -Dgovernance.bench.minutes}, 3 unless said otherwise, since the code is cold in the first; {@code
 * -Dgovernance.bench.events}, 100 a second; {@code -Dgovernance.bench.tenants}, 10. {@code
 * -Dgovernance.bench.deployed=true} measures one stream instead, out of the zip that is deployed.
 */
final class StreamsBench {
  private static final boolean DEPLOYED = Boolean.getBoolean("governance.bench.deployed");
  private static final int TENANTS =
      DEPLOYED ? 1 : Integer.getInteger("governance.bench.tenants", 10);

  /** Of each tenant. A function out of the zip has one process, which answers one request. */
  private static final int STREAMS = DEPLOYED ? 1 : StreamSlots.Pool.KEYS.quota();

  private static final int PER_SECOND = Integer.getInteger("governance.bench.events", 100);
  private static final int MINUTES = Integer.getInteger("governance.bench.minutes", 3);

  /** Ingests under way at most: a machine that is too slow for the rate is not buried in them. */
  private static final int AT_ONCE = 16;

  private static final Duration WARM = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Streams are open for 14 minutes at most, and the bench does not resume them. */
  private static final Map<String, String> SETTINGS =
      Map.of("GOVERNANCE_STREAM_MAX_SECONDS", "840");

  private final List<FollowedLog> logs = new ArrayList<>();
  private int events;

  private StreamsBench() {}

  static List<Figures> run() throws Exception {
    if (!DEPLOYED) {
      return run(Service.governance());
    }
    try (OutOfZip zip = new OutOfZip(SETTINGS)) {
      return run(zip.service(EventRoutes.STREAM_EVENTS.operation()::equals));
    }
  }

  private static List<Figures> run(Service service) throws Exception {
    try (OwnStack stack = new OwnStack(service, SETTINGS)) {
      return List.of(new StreamsBench().figures(stack));
    }
  }

  private Figures figures(OwnStack stack) throws Exception {
    Figures figures =
        new Figures(
            "event streams",
            "minute",
            "events per second",
            "frames per second",
            "p50 ms",
            "p99 ms",
            "heap in use MB",
            "processors busy %");
    try {
      for (int at = 0; at < TENANTS; at++) {
        FollowedLog log = new FollowedLog(stack.newTenant("streams-" + at));
        logs.add(log);
        for (int stream = 0; stream < STREAMS; stream++) {
          log.follow();
        }
      }
      ingest(WARM);
      for (int minute = 1; minute <= MINUTES; minute++) {
        row(figures, minute);
      }
      long frames = 0;
      for (FollowedLog log : logs) {
        frames += log.verify(LONGEST);
      }
      return figures
          .note(
              "%d streams told of all of %d events of their tenants in the order of the log: %d frames."
                  .formatted(TENANTS * STREAMS, events, frames))
          .note(
              "%d a second were wanted; the clients run on the same processors."
                  .formatted(PER_SECOND));
    } finally {
      for (FollowedLog log : logs) {
        log.close();
      }
    }
  }

  private void row(Figures figures, int minute) throws Exception {
    Latencies latencies = new Latencies();
    logs.forEach(log -> log.measure(latencies));
    Duration used = Parallel.processorTime();
    long began = System.nanoTime();
    int count = ingest(Duration.ofMinutes(1));
    double seconds = (System.nanoTime() - began) / 1e9;
    double busy = Parallel.processorTime().minus(used).toNanos() / 1e7 / seconds;
    figures.row(
        minute,
        count / seconds,
        latencies.count() / seconds,
        latencies.at(50),
        latencies.at(99),
        MemoryBench.heapInUse(),
        String.format(Locale.ROOT, "%.0f", busy / Runtime.getRuntime().availableProcessors()));
  }

  /**
   * Ingests for so long, at the wanted rate or at what the machine yields.
   *
   * @return how many events
   */
  private int ingest(Duration time) throws Exception {
    Semaphore free = new Semaphore(AT_ONCE);
    List<Future<?>> ingests = new ArrayList<>();
    long began = System.nanoTime();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      while (System.nanoTime() - began < time.toNanos()) {
        long due = began + ingests.size() * Duration.ofSeconds(1).toNanos() / PER_SECOND;
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        free.acquire();
        int number = events++;
        ingests.add(
            executor.submit(
                () -> {
                  try {
                    logs.get(number % TENANTS).ingest(number);
                  } finally {
                    free.release();
                  }
                  return null;
                }));
      }
    }
    for (Future<?> ingest : ingests) {
      ingest.get();
    }
    return ingests.size();
  }
}
