package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;

/**
 * Message that sends an action to the executor. It names everything that the execution depends on,
 * so that one request can read it. The stored state decides nonetheless.
 *
 * @param line actions with the same line are executed one after the other; the actions of an entity
 *     share a line
 */
public record Dispatch(
    Partition partition,
    ActionId action,
    PlanId plan,
    OperatorId operator,
    ConnectorId connector,
    String line) {

  /** Returns the dispatch of an action in the line of its entity. */
  public static Dispatch of(Action action) {
    return in(action.terms().entityKey().value(), action);
  }

  /**
   * Returns the dispatch of an action that was refused when its plan was claimed. Such an action
   * holds no lock and makes no call, so it gets a line of its own.
   */
  static Dispatch refused(Action action) {
    return in(action.id().value(), action);
  }

  private static Dispatch in(String line, Action action) {
    Action.Terms terms = action.terms();
    return new Dispatch(
        action.partition(),
        action.id(),
        terms.planId(),
        terms.operatorId(),
        terms.connector(),
        line);
  }

  /** Returns whether this dispatch names the state that the stored action depends on. */
  boolean fits(Action stored) {
    return in(line, stored).equals(this);
  }
}
