package io.actiongovernance.policy;

import java.util.List;

/**
 * What an attempt came to that was to reserve the limits of the guardrail that decided an action.
 */
public sealed interface ReserveResult {
  /**
   * It is counted.
   *
   * @param reservations opaque names of what was reserved, for {@link Budgets#settle}; empty if the
   *     guardrail has no limits
   */
  record Reserved(List<String> reservations) implements ReserveResult {
    public Reserved {
      reservations = List.copyOf(reservations);
    }
  }

  /** It would exceed this limit, and is counted against none. */
  record Exceeded(Limit limit) implements ReserveResult {}
}
