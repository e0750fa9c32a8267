package io.actiongovernance.kernel;

import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import java.time.Duration;
import java.time.InstantSource;

/** Waits for what comes of a plan that needs no approval. Thread-safe. */
public final class AwaitPlan {
  private final Plans plans;
  private final Poller poller;
  private final InstantSource clock;

  public AwaitPlan(Plans plans, Poller poller, InstantSource clock) {
    this.plans = plans;
    this.poller = poller;
    this.clock = clock;
  }

  /**
   * The plan as it stands once it is disposed, or waits for somebody, or the time is over. A lock
   * is waited for: it goes by itself.
   *
   * @param patience how long to wait
   */
  public Plan await(Plan plan, Duration patience) {
    return poller
        .until(
            clock.instant().plus(patience),
            () -> plans.find(plan.partition(), plan.id()).filter(AwaitPlan::isAtRest))
        .orElseGet(() -> plans.find(plan.partition(), plan.id()).orElse(plan));
  }

  private static boolean isAtRest(Plan plan) {
    return plan.disposedAt() != null
        || plan.waitingOn() == WaitingOn.APPROVAL
        || plan.waitingOn() == WaitingOn.ALLOWANCE
        || plan.freeze().standing();
  }
}
