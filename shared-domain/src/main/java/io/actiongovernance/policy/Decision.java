package io.actiongovernance.policy;

/**
 * The part of a verdict that says what becomes of the action: with ALLOW it runs, with ALERT its
 * plan is held for a person, with BLOCK it is refused. The later in order is the stricter.
 */
public enum Decision {
  ALLOW,
  ALERT,
  BLOCK;

  /** The stricter of the two. */
  public Decision stricter(Decision other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
