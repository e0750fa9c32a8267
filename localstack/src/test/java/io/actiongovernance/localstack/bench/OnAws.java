package io.actiongovernance.localstack.bench;

import io.actiongovernance.access.WaitSlots;
import io.actiongovernance.id.Ids;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.SlottedWait;
import io.actiongovernance.localstack.bench.Meter.Use;
import io.actiongovernance.store.InMemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * How long a governed call would take on AWS, from the message to its answer, by the assumed times
 * of {@code bench/durations.json}: its requests one after the other, the queue between its two
 * functions, what these do besides as long as it took here, and what it waits for until it looks at
 * the plan again. What the source system takes is left out. Of milliseconds.
 *
 * @param sent until its action is sent
 * @param queue until that is received
 * @param executed until it is disposed
 * @param seen until that is seen
 * @param answered until the answer is made
 */
record OnAws(double sent, double queue, double executed, double seen, double answered) {
  /**
   * The times of one call.
   *
   * @param uses what both functions asked for, from the message to the answer
   * @param began when the message was sent, as {@link System#nanoTime} counts
   * @param ended when the answer was there
   * @param upstream how long the source system took, in nanoseconds
   */
  static OnAws of(
      AssumedDurations durations,
      String function,
      List<Use> uses,
      long began,
      long ended,
      long upstream) {
    List<Use> own = uses.stream().filter(use -> use.function().equals(function)).toList();
    Use message = own.stream().filter(use -> use.service().equals("sqs")).findFirst().orElseThrow();
    List<Use> before = own.stream().filter(use -> use.ended() <= message.ended()).toList();
    Use look =
        own.stream()
            .filter(use -> use.operation().equals("BatchGetItem") && use.isOf("plan"))
            .reduce((_, last) -> last)
            .orElseThrow();
    List<Use> after = own.stream().filter(use -> use.ended() > look.ended()).toList();
    List<Use> executor = untilDisposed(uses.stream().filter(use -> !own.contains(use)).toList());
    long received = executor.stream().mapToLong(Use::began).min().orElseThrow();
    long disposed = executor.getLast().ended();
    double executed =
        durations.inSequence(executor)
            + AssumedDurations.stretched(
                executor.getFirst().function(),
                Math.max(0, disposed - received - nanos(executor) - upstream) / 1e9);
    double undisturbed = durations.ofQueue() + executed;
    double looked = looked(undisturbed, durations.inSequence(List.of(look)));
    return new OnAws(
        1000 * (durations.inSequence(before) + (message.ended() - began - nanos(before)) / 1e9),
        1000 * durations.ofQueue(),
        1000 * executed,
        1000 * (looked - undisturbed),
        1000 * (durations.inSequence(after) + (ended - look.ended() - nanos(after)) / 1e9));
  }

  /** Up to the transaction with the receipt. */
  private static List<Use> untilDisposed(List<Use> executor) {
    Use disposal =
        executor.stream()
            .filter(use -> use.operation().equals("TransactWriteItems"))
            .reduce((_, last) -> last)
            .orElseThrow();
    return executor.stream().filter(use -> use.ended() <= disposal.ended()).toList();
  }

  private static long nanos(List<Use> uses) {
    return uses.stream().mapToLong(Use::nanos).sum();
  }

  /** When a plan is seen to be disposed that is so after this long. */
  private static double looked(double disposed, double look) {
    Instant[] now = {Instant.EPOCH};
    InstantSource clock = () -> now[0];
    Random random = new Random(1);
    new SlottedWait(
            new WaitSlots(new InMemoryStore(), clock, random),
            new Ids(clock, random),
            clock,
            pause -> now[0] = now[0].plus(pause))
        .forReader(
            List.of(),
            Instant.EPOCH.plusSeconds(20),
            AwaitPlan.UNDER_WAY,
            () -> {
              boolean over = seconds(now[0]) >= disposed;
              now[0] = now[0].plusNanos(Math.round(look * 1e9));
              return over ? Optional.of(over) : Optional.empty();
            });
    return seconds(now[0]);
  }

  private static double seconds(Instant instant) {
    return Duration.between(Instant.EPOCH, instant).toNanos() / 1e9;
  }

  double all() {
    return sent + queue + executed + seen + answered;
  }
}
