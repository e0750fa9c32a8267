package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;

/**
 * What a message says of the action it sends to the executor. It names all that the execution
 * depends on, so that one request reads it; what is stored decides nonetheless.
 *
 * @param line actions in one line are executed one after the other: those of an entity stand in one
 */
public record Dispatch(
    Partition partition,
    ActionId action,
    PlanId plan,
    OperatorId operator,
    ConnectorId connector,
    String line) {

  /** An action in the line of its entity. */
  public static Dispatch of(Action action) {
    return in(action.terms().entityKey().value(), action);
  }

  /**
   * An action that was refused when its plan was claimed: it holds no lock and calls nothing, so it
   * stands in no line behind what does, but in one of its own.
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

  /** Whether it names what the action as it is stored depends on. */
  boolean fits(Action stored) {
    return in(line, stored).equals(this);
  }
}
