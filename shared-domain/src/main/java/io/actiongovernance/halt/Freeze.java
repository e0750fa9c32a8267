package io.actiongovernance.halt;

import java.time.Duration;

/**
 * Effect of halts on a plan's time: the time frozen so far, and whether the plan's clock is stopped
 * now. Frozen time is given back by adding it to the plan's expiry (contract, section 4).
 *
 * @param frozen the frozen time. Overlapping halts count once; a halt in force counts the time
 *     until this was computed
 */
public record Freeze(Duration frozen, boolean standing) {
  /** Value for a plan that no halt has affected. */
  public static final Freeze NONE = new Freeze(Duration.ZERO, false);
}
