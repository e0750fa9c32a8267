package io.actiongovernance.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.id.Ids;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class SpreadTest {
  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");

  @Test
  void anIdFromBeforeARaiseKeepsItsPlace() {
    Spread before = Spread.of(1);
    Spread after = before.raised(8, NOW);
    String early = Ids.derived(NOW, "a request that died half-way");
    assertThat(after.plan(early)).isEqualTo(before.plan(early));
    Instant since = NOW.plus(Spread.NOTICE);
    assertThat(after.at(since.minusMillis(1))).isEqualTo(1);
    assertThat(after.at(since)).isEqualTo(8);
  }

  @Test
  void aSpreadIsRaisedOnlyToPowersOfTwoAndOnceADay() {
    Spread once = Spread.of(2).raised(4, NOW);
    assertThat(Spread.of(2).mayBeRaised(4, NOW)).isTrue();
    assertThat(Spread.of(2).mayBeRaised(2, NOW)).isFalse();
    assertThat(Spread.of(4).mayBeRaised(2, NOW)).isFalse();
    assertThat(Spread.of(2).mayBeRaised(3, NOW)).isFalse();
    assertThat(Spread.of(2).mayBeRaised(64, NOW)).isFalse();
    assertThat(once.mayBeRaised(8, NOW.plus(Duration.ofHours(24)))).isFalse();
    assertThat(once.mayBeRaised(8, NOW.plus(Duration.ofHours(26)))).isTrue();
    assertThatThrownBy(() -> Spread.of(3)).isInstanceOf(IllegalArgumentException.class);
  }
}
