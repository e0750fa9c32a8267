package io.actiongovernance.functions.operator;

import io.actiongovernance.api.Fields;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.policy.Guardrails;

/** {@code PUT /v1/operators/{operator_id}/guardrails}. */
public final class PutGuardrailsHandler implements RouteHandler {
  private final Operators operators;
  private final OperatorReplies replies;

  public PutGuardrailsHandler(Operators operators, OperatorReplies replies) {
    this.operators = operators;
    this.replies = replies;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    Guardrails guardrails = Guardrails.read(body, "guardrails");
    long expected = body.whole("expected_version", 1, Long.MAX_VALUE);
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    return replies.of(
        operators.putGuardrails(call.caller(), id, guardrails, expected, call.mintedId()),
        operator -> Reply.ok(GuardrailsView.of(operator)));
  }
}
