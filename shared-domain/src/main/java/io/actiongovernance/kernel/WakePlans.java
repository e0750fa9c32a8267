package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import java.time.Duration;

/**
 * Wakes every plan of a partition that waits for something that has just happened: the lift of a
 * halt, or a raised cap. If a plan is missed because its index lags, it is left to the sweeper.
 * Thread-safe.
 */
public final class WakePlans {
  private final Plans plans;
  private final Dispatcher dispatcher;

  public WakePlans(Plans plans, Dispatcher dispatcher) {
    this.plans = plans;
    this.dispatcher = dispatcher;
  }

  /** Wakes the plans that wait for this reason, oldest first. */
  public void waitingOn(Partition partition, WaitingOn reason) {
    for (PlanId plan : plans.waitingOn(partition, reason)) {
      dispatcher.wake(partition, plan, Duration.ZERO);
    }
  }
}
