package io.actiongovernance.policy;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/**
 * Result of a condition on an action or a payload. A condition that cannot be evaluated (a missing
 * argument, or one of another type) neither holds nor fails. Each guardrail then treats the
 * condition in the way that permits less (contract, section 3).
 */
public enum Truth {
  HOLDS,
  UNDECIDABLE,
  FAILS;

  @JsonValue
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Conjunction: fails if either fails; otherwise undecidable if either is undecidable. */
  public Truth and(Truth other) {
    return compareTo(other) >= 0 ? this : other;
  }

  static Truth of(boolean holds) {
    return holds ? HOLDS : FAILS;
  }
}
