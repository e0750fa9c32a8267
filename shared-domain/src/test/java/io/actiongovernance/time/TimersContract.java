package io.actiongovernance.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** What timers do, whatever they are made of. */
public abstract class TimersContract {
  /** Of which kind they are here. */
  protected static final TimerKind KIND = TimerKind.WEBHOOK_RETRY;

  private static final Duration SOON = Duration.ofMillis(300);

  private record Fired(String id, Instant at) {}

  private final List<Fired> fired = new CopyOnWriteArrayList<>();
  private final List<Duration> again = new CopyOnWriteArrayList<>();

  protected abstract Timers timers();

  protected abstract Instant now();

  /** Lets time pass until the condition holds, for a bounded time. */
  protected abstract void await(BooleanSupplier condition);

  /** What every timer that is due asks. */
  protected final Optional<Instant> due(Map<String, ?> timer) {
    fired.add(new Fired(String.valueOf(timer.get("delivery_id")), now()));
    return again.isEmpty() ? Optional.empty() : Optional.of(now().plus(again.removeFirst()));
  }

  /** A timer is kept to the millisecond. */
  private Instant start(String name, Duration in) {
    Instant due = now().plus(in).truncatedTo(ChronoUnit.MILLIS);
    timers().start(new Timer(KIND, name, due, Map.of("delivery_id", "dlv_" + name)));
    return due;
  }

  private List<String> ids() {
    return fired.stream().map(Fired::id).toList();
  }

  @Test
  void aTimerFiresWithItsIdentifiersOnceItIsDue() {
    Instant due = start("a", SOON);
    await(() -> !fired.isEmpty());
    assertThat(ids()).containsExactly("dlv_a");
    assertThat(fired.getFirst().at()).isAfterOrEqualTo(due);
  }

  @Test
  void anOverdueTimerFiresAtOnce() {
    start("a", Duration.ofHours(-1));
    await(() -> !fired.isEmpty());
    assertThat(ids()).containsExactly("dlv_a");
  }

  @Test
  void aTimerStartedTwiceFiresOnce() {
    start("a", SOON);
    start("a", SOON);
    start("a", SOON.multipliedBy(2));
    await(() -> !fired.isEmpty());
    start("a", Duration.ZERO);
    start("last", SOON.multipliedBy(3));
    await(() -> ids().contains("dlv_last"));
    assertThat(ids()).containsExactly("dlv_a", "dlv_last");
  }

  @Test
  void aStoppedTimerDoesNotFire() {
    start("stopped", Duration.ofSeconds(3));
    timers().stop(KIND, "stopped");
    start("other", Duration.ofSeconds(4));
    await(() -> ids().contains("dlv_other"));
    assertThat(ids()).containsExactly("dlv_other");
  }

  @Test
  void stoppingAnUnknownOrFinishedTimerIsHarmless() {
    timers().stop(KIND, "never-was");
    start("a", Duration.ZERO);
    await(() -> !fired.isEmpty());
    timers().stop(KIND, "a");
    timers().stop(KIND, "a");
    start("b", Duration.ZERO);
    await(() -> ids().contains("dlv_b"));
  }

  @Test
  void aTimerToldToWaitAgainFiresAgain() {
    again.addAll(List.of(SOON, SOON));
    start("a", Duration.ZERO);
    await(() -> fired.size() == 3);
    assertThat(ids()).containsOnly("dlv_a");
    for (int at = 1; at < 3; at++) {
      assertThat(Duration.between(fired.get(at - 1).at(), fired.get(at).at()))
          .isGreaterThanOrEqualTo(SOON.minusMillis(1));
    }
  }
}
