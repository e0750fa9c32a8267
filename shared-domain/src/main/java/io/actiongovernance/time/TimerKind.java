package io.actiongovernance.time;

/** Purposes of timers. Each kind has its own state machine. */
public enum TimerKind {
  /** Records that a plan has expired. */
  PLAN_EXPIRY("plan-expiry"),
  /** Makes the next attempt of a webhook delivery. */
  WEBHOOK_RETRY("webhook-retry");

  private final String wire;

  TimerKind(String wire) {
    this.wire = wire;
  }

  /**
   * Returns the name of the definition, which is also the end of the state machine's name: {@code
   * plan-expiry}.
   */
  public String wire() {
    return wire;
  }

  /** Returns the name of a deployment's state machine: {@code governance-plan-expiry}. */
  public String wireName(String prefix) {
    return prefix + "-" + wire;
  }
}
