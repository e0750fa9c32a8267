package io.actiongovernance.policy;

/**
 * What the policy says of an action, the stricter the later in order: ALLOW runs, ALERT waits for a
 * person, BLOCK is refused.
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
