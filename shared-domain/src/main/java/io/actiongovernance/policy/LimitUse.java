package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.time.Timestamps;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Use of a limit when it decided on an action: when it held the action at proposal, or refused it
 * at execution.
 *
 * @param kind the bound of the limit that decided
 * @param key the entity, tool or connector whose actions are counted; null for a limit of an
 *     operator or a tenant
 * @param used the amount that counted before the action, including earlier actions of its plan
 * @param since start of the oldest sixtieth of the window in which something counts; null if no
 *     called action does
 * @param countable false if the value or entity of the action, or of an earlier one in its plan, is
 *     missing, below zero or an assertion. The limit is then exceeded, however much is used
 */
public record LimitUse(
    Per per,
    Kind kind,
    long windowSeconds,
    @Nullable String key,
    BigDecimal used,
    BigDecimal of,
    @Nullable Instant since,
    boolean countable) {
  private static final Map<Long, String> WINDOWS =
      Map.of(60L, "a minute", 3_600L, "an hour", 86_400L, "a day", 604_800L, "a week");

  public enum Kind {
    ACTIONS,
    VALUE;

    @JsonValue
    public String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns the limit, with the bound that decided alone. */
  Limit limit() {
    boolean ofActions = kind == Kind.ACTIONS;
    return new Limit(per, windowSeconds, ofActions ? of.longValue() : null, ofActions ? null : of);
  }

  /**
   * Returns a sentence: {@code at most 1 a day for order:7, 1 used since 2026-11-28T06:47:00.000Z}.
   */
  public String sentence() {
    String window = WINDOWS.getOrDefault(windowSeconds, "in " + windowSeconds + " seconds");
    return "at most "
        + of.toPlainString()
        + (kind == Kind.VALUE ? " in value " : " ")
        + window
        + " for "
        + (key == null ? "the " + per.wire() : key)
        + ", "
        + used.toPlainString()
        + " used"
        + (since == null ? "" : " since " + Timestamps.format(since))
        + (countable ? "" : ", and this action cannot be counted");
  }
}
