package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;

/** Archives an operator and ends its open plans (contract, section 4). Thread-safe. */
public final class ArchiveOperator {
  private final Operators operators;
  private final ExpirePlan expirePlan;

  public ArchiveOperator(Operators operators, ExpirePlan expirePlan) {
    this.operators = operators;
    this.expirePlan = expirePlan;
  }

  /**
   * Archives the operator.
   *
   * @param request the identifier minted for the request, so that a repeated request gets the
   *     answer of the first
   */
  public Outcome<Operator> archive(Caller caller, OperatorId id, String request) {
    Outcome<Operator> outcome = operators.archive(caller, id, request);
    // Done for an operator that is already archived too, to finish a request that died before it
    // ended the plans.
    operators
        .find(caller, id)
        .filter(found -> found.status() == OperatorStatus.ARCHIVED)
        .ifPresent(found -> expirePlan.endPlansOf(found.partition(), id));
    return outcome;
  }
}
