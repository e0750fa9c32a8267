package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code GET /v1/operators/{operator_id}}. */
@Operation(summary = "Retrieve an operator", tag = Tag.OPERATORS, answer = OperatorView.class)
public final class RetrieveOperatorHandler implements RouteHandler<RetrieveOperatorHandler.Input> {
  private final Operators operators;
  private final OperatorViews views;

  public RetrieveOperatorHandler(Operators operators, OperatorViews views) {
    this.operators = operators;
    this.views = views;
  }

  record Input(OperatorId operatorId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(operators.retrieve(call.caller(), input.operatorId()), views::view);
  }
}
