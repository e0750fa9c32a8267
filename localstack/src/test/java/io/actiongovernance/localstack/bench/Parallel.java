package io.actiongovernance.localstack.bench;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Runs a piece of work many times, a number of them at once. Stateless. */
final class Parallel {
  private Parallel() {}

  /** A piece of work; given which one it is, counted from 0. */
  interface Work {
    void act(int number) throws Exception;
  }

  static void run(int times, int atOnce, Work work) throws Exception {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> workers = new ArrayList<>();
    try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int worker = 0; worker < atOnce; worker++) {
        workers.add(
            executor.submit(
                () -> {
                  for (int at = next.getAndIncrement(); at < times; at = next.getAndIncrement()) {
                    work.act(at);
                  }
                  return null;
                }));
      }
      for (Future<?> worker : workers) {
        worker.get();
      }
    }
  }

  /** The processor time this process has used so far. */
  static Duration processorTime() {
    return Duration.ofNanos(
        ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime());
  }
}
