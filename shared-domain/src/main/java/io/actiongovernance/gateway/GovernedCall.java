package io.actiongovernance.gateway;

import io.actiongovernance.access.Caller;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.plan.Plan;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call as it stands: its plan and what the plan is to do.
 *
 * @param connector by which it was asked for, if it was read for that
 * @param earlier whether the plan is that of a call before this one, which it is the same as
 * @param halted whether a halt stands in its way
 * @param halt which one, where it is known
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

  /** Whether the plan is one call, and no proposal of several. */
  public boolean isOne() {
    return actions.size() == 1;
  }

  /**
   * Whether the caller may know what comes of it: a key that is bound to operators may of all of
   * theirs, any other of what it proposed itself, the role admin of all.
   */
  public boolean isFor(Caller caller) {
    return isFor(caller, plan);
  }

  static boolean isFor(Caller caller, Plan plan) {
    return caller.sees(plan.terms().workspaceId(), plan.terms().operatorId())
        && (caller.knowsAllResults()
            || plan.terms().proposedBy().principal().is(caller.principal()));
  }

  /** What is called, of a plan that is one call. */
  public Action action() {
    return actions.getFirst();
  }
}
