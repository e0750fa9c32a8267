package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code POST /v1/operators/{operator_id}/resume}. */
@Operation(
    summary = "Resume an operator",
    tag = Tag.OPERATORS,
    answer = OperatorView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.CAPABILITY_UNBOUND, ErrorCode.QUOTA_EXCEEDED})
public final class ResumeOperatorHandler implements RouteHandler<ResumeOperatorHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;

  public ResumeOperatorHandler(Operators operators, OperatorViews views) {
    this.operators = operators;
    this.views = views;
  }

  /** Which one. */
  record Input(OperatorId operatorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        operators.resume(call.caller(), input.operatorId(), call.mintedId()), views::view);
  }
}
