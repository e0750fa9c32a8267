package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code POST /v1/operators/{operator_id}/publish}. */
public final class PublishOperatorHandler implements FieldsHandler {
  private final Operators operators;
  private final OperatorReplies replies;

  public PublishOperatorHandler(Operators operators, OperatorReplies replies) {
    this.operators = operators;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return replies.changed(operators.publish(call.caller(), id, call.mintedId()));
  }
}
