package io.actiongovernance.access;

import io.actiongovernance.tally.Amount;
import io.actiongovernance.tally.Count;
import io.actiongovernance.tally.WindowDecay;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Monthly decay of the allowance. The count of applied actions ends with their month; reservations
 * that are not settled continue into the next. Thread-safe.
 */
record Months(InstantSource clock) implements WindowDecay {
  private static final String APPLIED = "applied";

  /** Returns the number of an instant's month, in UTC. */
  static long step(Instant instant) {
    return YearMonth.from(instant.atZone(ZoneOffset.UTC)).getLong(ChronoField.PROLEPTIC_MONTH);
  }

  static Map<String, BigDecimal> applied(long actions) {
    return Map.of(APPLIED, BigDecimal.valueOf(actions));
  }

  /** Returns the number of actions that applied in an item's month. */
  static long applied(Count count) {
    return count.part(APPLIED).longValueExact();
  }

  @Override
  public long now() {
    return step(clock.instant());
  }

  @Override
  public Map<String, BigDecimal> parts(long step, Amount amount) {
    return Map.of();
  }

  @Override
  public Count forward(Count count, long step) {
    long pending = count.total().actions() - applied(count);
    return count.at(step, Amount.of(pending), Map.of());
  }

  @Override
  public long counts(long step) {
    return Long.MAX_VALUE;
  }

  @Override
  public @Nullable Long expires() {
    return null;
  }
}
