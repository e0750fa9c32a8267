package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;

/** Archives an operator, and ends its open plans with it (contract, section 4). Thread-safe. */
public final class ArchiveOperator {
  private final Operators operators;
  private final ExpirePlan expirePlan;

  public ArchiveOperator(Operators operators, ExpirePlan expirePlan) {
    this.operators = operators;
    this.expirePlan = expirePlan;
  }

  /**
   * Archives.
   *
   * @param request minted for the request: one that was already carried out is answered with what
   *     it did
   */
  public Outcome<Operator> archive(Caller caller, OperatorId id, String request) {
    Outcome<Operator> outcome = operators.archive(caller, id, request);
    // Now or before: a request that died before it ended the plans is finished by the next.
    operators
        .find(caller, id)
        .filter(found -> found.status() == OperatorStatus.ARCHIVED)
        .ifPresent(found -> expirePlan.endPlansOf(found.partition(), id));
    return outcome;
  }
}
