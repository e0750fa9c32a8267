package io.actiongovernance.policy;

import java.math.BigDecimal;

/**
 * The amounts whose sums the store keeps to the last digit: from 0 up to 20 digits before the point
 * and 18 after it, which together are the 38 digits a stored number has.
 */
final class Amounts {
  private static final int MAX_SCALE = 18;

  /** The greatest sum that can be kept. */
  static final BigDecimal MAX = new BigDecimal("99999999999999999999.999999999999999999");

  private Amounts() {}

  /**
   * Whether it is such an amount. A negative one is not: it would give back what others have used.
   */
  static boolean canBeSummed(BigDecimal amount) {
    return amount.signum() >= 0
        && amount.compareTo(MAX) <= 0
        && amount.stripTrailingZeros().scale() <= MAX_SCALE;
  }
}
