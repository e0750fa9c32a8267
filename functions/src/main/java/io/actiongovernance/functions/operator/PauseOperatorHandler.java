package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code POST /v1/operators/{operator_id}/pause}. */
@Operation(
    summary = "Pause an operator",
    tag = Tag.OPERATORS,
    answer = OperatorView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class PauseOperatorHandler implements RouteHandler<PauseOperatorHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;

  public PauseOperatorHandler(Operators operators, OperatorViews views) {
    this.operators = operators;
    this.views = views;
  }

  /** Which one. */
  record Input(OperatorId operatorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        operators.pause(call.caller(), input.operatorId(), call.mintedId()), views::view);
  }
}
