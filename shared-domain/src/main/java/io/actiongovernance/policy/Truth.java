package io.actiongovernance.policy;

/**
 * Whether a condition holds of an action or a payload. What cannot be evaluated (a missing
 * argument, or one of another type) is neither: each guardrail takes it the way that permits less
 * (contract, section 3).
 */
public enum Truth {
  HOLDS,
  UNDECIDABLE,
  FAILS;

  /** Of both: fails if one does, else is undecidable if one is. */
  public Truth and(Truth other) {
    return compareTo(other) >= 0 ? this : other;
  }

  static Truth of(boolean holds) {
    return holds ? HOLDS : FAILS;
  }
}
