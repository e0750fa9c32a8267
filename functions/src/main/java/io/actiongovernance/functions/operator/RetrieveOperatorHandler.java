package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code GET /v1/operators/{operator_id}}. */
public final class RetrieveOperatorHandler implements FieldsHandler {
  private final Operators operators;
  private final OperatorReplies replies;

  public RetrieveOperatorHandler(Operators operators, OperatorReplies replies) {
    this.operators = operators;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return operators
        .find(call.caller(), call.id("operator_id", OperatorId::parse))
        .map(operator -> Reply.ok(replies.view(operator)))
        .orElseGet(OperatorReplies::notFound);
  }
}
