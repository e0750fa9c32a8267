package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;

/** {@code GET /v1/operators/{operator_id}/guardrails}. */
public final class RetrieveGuardrailsHandler implements RouteHandler {
  private final Operators operators;

  public RetrieveGuardrailsHandler(Operators operators) {
    this.operators = operators;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return operators
        .find(call.caller(), call.id("operator_id", OperatorId::parse))
        .map(operator -> Reply.ok(GuardrailsView.of(operator)))
        .orElseGet(OperatorReplies::notFound);
  }
}
