package io.actiongovernance.policy;

import java.math.BigDecimal;

/**
 * Amounts whose sums the store keeps exactly: 0 or more, with at most 20 digits before the point
 * and 18 after it. Together these are the 38 digits of a stored number.
 */
final class Amounts {
  private static final int MAX_SCALE = 18;

  static final BigDecimal MAX = new BigDecimal("99999999999999999999.999999999999999999");

  private Amounts() {}

  /**
   * Returns whether the amount is in range. A negative amount is not, because it would give back
   * what others have used.
   */
  static boolean canBeSummed(BigDecimal amount) {
    return amount.signum() >= 0
        && amount.compareTo(MAX) <= 0
        && amount.stripTrailingZeros().scale() <= MAX_SCALE;
  }
}
