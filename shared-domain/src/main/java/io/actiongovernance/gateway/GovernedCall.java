package io.actiongovernance.gateway;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Present state of a call: its plan and the plan's actions.
 *
 * @param connector the connector that it calls, if it was read for the request; otherwise null
 * @param earlier whether the plan belongs to an earlier, equal call
 * @param halted whether a halt blocks the call
 * @param halt the halt that blocks it, if known
 */
public record GovernedCall(
    Plan plan,
    List<Action> actions,
    @Nullable Connector connector,
    boolean earlier,
    boolean halted,
    @Nullable HaltId halt) {
  public GovernedCall {
    actions = List.copyOf(actions);
  }

  /** Returns whether the plan is a single call, rather than a proposal of several actions. */
  public boolean isOne() {
    return actions.size() == 1;
  }

  /**
   * Returns whether the caller may know the result. Administrators may know all results within
   * their reach. A key that is bound to operators may know those of its operators, and any other
   * caller those of its own proposals.
   */
  public boolean isFor(Caller caller) {
    return isFor(caller, plan);
  }

  static boolean isFor(Caller caller, Plan plan) {
    return caller.sees(plan.terms().workspaceId(), plan.terms().operatorId())
        && (caller.knowsAllResults()
            || plan.terms().proposedBy().principal().is(caller.principal()));
  }

  /** Returns the action of a plan that is a single call. */
  public Action action() {
    return actions.getFirst();
  }
}
