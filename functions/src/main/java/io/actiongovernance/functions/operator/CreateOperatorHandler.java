package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.OperatorBody;
import io.actiongovernance.operator.Operators;

/** {@code POST /v1/operators}. */
public final class CreateOperatorHandler implements FieldsHandler {
  private final Operators operators;
  private final OperatorBodies bodies;
  private final OperatorReplies replies;

  public CreateOperatorHandler(
      Operators operators, OperatorBodies bodies, OperatorReplies replies) {
    this.operators = operators;
    this.bodies = bodies;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    OperatorBody body = bodies.creation(call);
    OperatorId id = new OperatorId(OperatorId.PREFIX + call.mintedId());
    return replies.created(operators.create(call.caller(), id, body));
  }
}
