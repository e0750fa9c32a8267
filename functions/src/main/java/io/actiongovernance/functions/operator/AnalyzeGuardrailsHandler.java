package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.policy.Guardrails;
import io.actiongovernance.proposer.AnalyzeGuardrails;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/guardrails/analyze}: writes nothing. */
@Operation(
    summary = "Analyze guardrails",
    description = "Writes nothing. Every action in the answer was run through the evaluator.",
    tag = Tag.OPERATORS,
    answer = GuardrailAnalysisView.class)
public final class AnalyzeGuardrailsHandler
    implements RouteHandler<AnalyzeGuardrailsHandler.Input> {
  private final AnalyzeGuardrails analyzeGuardrails;

  public AnalyzeGuardrailsHandler(AnalyzeGuardrails analyzeGuardrails) {
    this.analyzeGuardrails = analyzeGuardrails;
  }

  record Input(
      OperatorId operatorId,
      @Field(
              doc =
                  "Guardrails to analyze in place of the operator's own, with which they are then"
                      + " compared.",
              as = GuardrailForm[].class,
              example =
                  "[{\"name\":\"refund-small\",\"decision\":\"ALLOW\",\"tool\":\"sandbox.payment.refund\"}]")
          @Nullable Guardrails guardrails) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        analyzeGuardrails.analyze(call.caller(), input.operatorId(), input.guardrails()),
        GuardrailAnalysisView::of);
  }
}
