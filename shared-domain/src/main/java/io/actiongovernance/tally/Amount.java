package io.actiongovernance.tally;

import static java.math.BigDecimal.ZERO;

import java.math.BigDecimal;

/** Number of actions, and the sum of their values. */
public record Amount(long actions, BigDecimal value) {
  public static final Amount NONE = new Amount(0, ZERO);

  public static Amount of(long actions) {
    return new Amount(actions, ZERO);
  }

  public Amount plus(Amount other) {
    return new Amount(actions + other.actions, value.add(other.value));
  }

  Amount minus(Amount other) {
    return new Amount(actions - other.actions, value.subtract(other.value));
  }

  boolean none() {
    return actions == 0 && value.signum() == 0;
  }
}
