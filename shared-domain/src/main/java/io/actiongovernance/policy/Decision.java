package io.actiongovernance.policy;

/**
 * Decision on an action: ALLOW runs it, ALERT holds its plan for a person, BLOCK refuses it.
 * Ordered from least to most strict.
 */
public enum Decision {
  ALLOW,
  ALERT,
  BLOCK;

  public Decision stricter(Decision other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
