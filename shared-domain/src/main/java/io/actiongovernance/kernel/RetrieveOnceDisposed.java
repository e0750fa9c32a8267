package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.RetrieveAction;
import io.actiongovernance.plan.RetrievePlan;
import java.time.Duration;

/**
 * Reads a plan or an action when it is disposed (contract for agents, section 2). Reads its current
 * state if the caller's patience ends first or no wait slot is left. Refuses at once if the caller
 * may not see it. Thread-safe.
 */
public final class RetrieveOnceDisposed {
  private final RetrievePlan retrievePlan;
  private final RetrieveAction retrieveAction;
  private final AwaitPlan awaitPlan;

  public RetrieveOnceDisposed(
      RetrievePlan retrievePlan, RetrieveAction retrieveAction, AwaitPlan awaitPlan) {
    this.retrievePlan = retrievePlan;
    this.retrieveAction = retrieveAction;
    this.awaitPlan = awaitPlan;
  }

  public Outcome<RetrievePlan.Read> plan(Caller caller, PlanId id, Duration patience) {
    return retrievePlan
        .find(caller, id)
        .then(
            plan -> {
              boolean waits = patience.isPositive() && plan.disposedAt() == null;
              Plan now = waits ? awaitPlan.disposed(caller, plan, patience) : plan;
              return Outcome.done(retrievePlan.read(now));
            });
  }

  public Outcome<RetrieveAction.Read> action(Caller caller, ActionId id, Duration patience) {
    return retrieveAction
        .retrieve(caller, id)
        .then(
            read -> {
              Action action = read.action();
              if (!patience.isPositive() || action.settled()) {
                return Outcome.done(read);
              }
              awaitPlan.disposed(caller, action, patience);
              return retrieveAction.retrieve(caller, id);
            });
  }
}
