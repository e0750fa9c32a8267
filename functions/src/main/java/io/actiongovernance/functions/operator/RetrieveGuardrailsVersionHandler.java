package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;

/** {@code GET /v1/operators/{operator_id}/guardrails/versions/{version}}: the whole set. */
@Operation(
    summary = "Retrieve a version of the guardrails",
    tag = Tag.OPERATORS,
    answer = GuardrailsVersionView.class)
public final class RetrieveGuardrailsVersionHandler
    implements RouteHandler<RetrieveGuardrailsVersionHandler.Input> {
  private final GuardrailsVersions versions;

  public RetrieveGuardrailsVersionHandler(GuardrailsVersions versions) {
    this.versions = versions;
  }

  record Input(
      OperatorId operatorId,
      @Field(doc = OperatorTexts.VERSION, rule = "version of the guardrails", example = "1")
          long version) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        versions.retrieve(call.caller(), input.operatorId(), input.version()),
        GuardrailsVersionView::of);
  }
}
