package io.actiongovernance.time;

/** What timers are for. Each kind is a state machine of its own. */
public enum TimerKind {
  /** Records that a plan's time is over. */
  PLAN_EXPIRY("plan-expiry"),
  /** Makes the next attempt of a webhook delivery. */
  WEBHOOK_RETRY("webhook-retry");

  private final String wire;

  TimerKind(String wire) {
    this.wire = wire;
  }

  /** {@code plan-expiry}: the name of the definition, and the end of the state machine's name. */
  public String wire() {
    return wire;
  }

  /** The state machine of a deployment: {@code governance-plan-expiry}. */
  public String wireName(String prefix) {
    return prefix + "-" + wire;
  }
}
