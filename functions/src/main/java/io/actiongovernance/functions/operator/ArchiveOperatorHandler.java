package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.OperatorOutcome;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.ExpirePlan;

/** {@code DELETE /v1/operators/{operator_id}}. */
public final class ArchiveOperatorHandler implements FieldsHandler {
  private final Operators operators;
  private final ExpirePlan expirePlan;
  private final OperatorReplies replies;

  public ArchiveOperatorHandler(
      Operators operators, ExpirePlan expirePlan, OperatorReplies replies) {
    this.operators = operators;
    this.expirePlan = expirePlan;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    OperatorOutcome outcome = operators.archive(call.caller(), id, call.mintedId());
    if (isArchived(outcome)) {
      expirePlan.endPlansOf(call.caller().partition(), id);
    }
    return replies.changed(outcome);
  }

  /** Now or before: a request that died before it ended the plans is finished by the next. */
  private static boolean isArchived(OperatorOutcome outcome) {
    return outcome instanceof OperatorOutcome.Done
        || (outcome instanceof OperatorOutcome.WrongState(OperatorStatus status)
            && status == OperatorStatus.ARCHIVED);
  }
}
