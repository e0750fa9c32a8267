package io.actiongovernance.action;

import io.actiongovernance.policy.Decision;
import java.util.Arrays;
import java.util.Optional;

/**
 * Disposition of an action by the executor. DEDUP means that the action's idempotency key had
 * already been applied (specification, Action object).
 */
public enum Disposition {
  ALLOW,
  ALERT,
  BLOCK,
  DEDUP;

  public static Disposition of(Decision decision) {
    return valueOf(decision.name());
  }

  public static Optional<Disposition> parse(String text) {
    return Arrays.stream(values()).filter(value -> value.name().equals(text)).findFirst();
  }
}
