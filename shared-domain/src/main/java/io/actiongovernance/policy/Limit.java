package io.actiongovernance.policy;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * Bound on how many of the actions that a guardrail decides may run within a sliding window
 * (contract, section 3). Two limits are equal if their numbers are, in any notation.
 *
 * @param windowSeconds 1 to 2,592,000
 * @param maxActions maximum number of actions, or null for any number
 * @param maxValue maximum sum of their values, or null for any sum
 */
public record Limit(
    Per per, long windowSeconds, @Nullable Long maxActions, @Nullable BigDecimal maxValue) {
  /** The longest window: 30 days. */
  public static final long MAX_WINDOW_SECONDS = 2_592_000;

  public static final long MAX_ACTIONS = 1_000_000_000;

  public Limit {
    if (windowSeconds < 1 || windowSeconds > MAX_WINDOW_SECONDS) {
      throw new IllegalArgumentException("A window has 1 to 2,592,000 seconds: " + windowSeconds);
    }
    if (maxActions == null && maxValue == null) {
      throw new IllegalArgumentException("A limit bounds actions, value, or both");
    }
    maxValue = maxValue == null ? null : maxValue.stripTrailingZeros();
  }

  /**
   * Returns a text that identifies what the limit counts, without its bounds. The count therefore
   * continues if a bound changes.
   */
  String shape() {
    return per.wire()
        + ":"
        + windowSeconds
        + (maxActions == null ? "" : ":actions")
        + (maxValue == null ? "" : ":value");
  }

  /** Returns whether the other limit continues this count, with bounds that are no greater. */
  boolean isKeptBy(Limit other) {
    return shape().equals(other.shape())
        && (maxActions == null || other.maxActions == null || other.maxActions <= maxActions)
        && (maxValue == null || other.maxValue == null || other.maxValue.compareTo(maxValue) <= 0);
  }
}
