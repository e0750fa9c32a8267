package io.actiongovernance.policy;

import java.util.List;

/**
 * What became of an attempt to count an action against the limits of the guardrail that decided it.
 */
public sealed interface Reservation {
  /**
   * It is counted.
   *
   * @param holds opaque names of what was reserved, for {@link Budgets#settle}; empty if the
   *     guardrail has no limits
   */
  record Reserved(List<String> holds) implements Reservation {
    public Reserved {
      holds = List.copyOf(holds);
    }
  }

  /** It would exceed this limit, and is counted against none. */
  record Exceeded(Limit limit) implements Reservation {}
}
