package io.actiongovernance.halt;

import java.time.Duration;

/**
 * What halts have done to a plan's time: how much of it they froze so far, and whether its clock
 * stands still now. The frozen time is given back: it is added to the plan's expiry (contract,
 * section 4).
 *
 * @param frozen overlapping halts counted once; of a halt in force, what has passed when this was
 *     computed
 */
public record Freeze(Duration frozen, boolean standing) {
  /** No halt has touched the plan. */
  public static final Freeze NONE = new Freeze(Duration.ZERO, false);
}
