package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.OperatorBody;
import io.actiongovernance.operator.Operators;

/** {@code PATCH /v1/operators/{operator_id}}: guardrails given here are a new version of them. */
public final class UpdateOperatorHandler implements FieldsHandler {
  private final Operators operators;
  private final OperatorBodies bodies;
  private final OperatorReplies replies;

  public UpdateOperatorHandler(
      Operators operators, OperatorBodies bodies, OperatorReplies replies) {
    this.operators = operators;
    this.bodies = bodies;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    OperatorBody body = bodies.change(call);
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return replies.changed(operators.update(call.caller(), id, body, call.mintedId()));
  }
}
