package io.actiongovernance.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.event.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** The timers in memory, and what a timer is. */
final class InMemoryTimersTest extends TimersContract {
  private final TestTime time = new TestTime();
  private final InMemoryTimers timers = new InMemoryTimers();

  @Override
  protected Timers timers() {
    return timers;
  }

  @Override
  protected Instant now() {
    return time.instant();
  }

  @Override
  protected void await(BooleanSupplier condition) {
    for (int step = 0; step < 1000 && !condition.getAsBoolean(); step++) {
      timers.fire(time.instant(), timer -> due(timer.ids()));
      time.pass(Duration.ofMillis(10));
    }
    assertThat(condition.getAsBoolean()).isTrue();
  }

  @Test
  void aTimerNameMustBeValidForStepFunctions() {
    for (String name : new String[] {"", "a b", "a:b", "ä", "a".repeat(81)}) {
      assertThatThrownBy(() -> new Timer(KIND, name, Instant.EPOCH, Map.of()))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
