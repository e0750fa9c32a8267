package io.actiongovernance.halt;

import java.time.Duration;

/**
 * Effect of halts on a plan's time: how much they have frozen so far, and whether its clock is
 * stopped now. Frozen time is given back by adding it to the plan's expiry (contract, section 4).
 *
 * @param frozen overlapping halts count once; a halt in force counts what has passed when this was
 *     computed
 */
public record Freeze(Duration frozen, boolean standing) {
  /** Value for a plan that no halt has touched. */
  public static final Freeze NONE = new Freeze(Duration.ZERO, false);
}
