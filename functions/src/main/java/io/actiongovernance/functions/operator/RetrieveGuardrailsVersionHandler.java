package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operators;

/** {@code GET /v1/operators/{operator_id}/guardrails/versions/{version}}: the whole set. */
public final class RetrieveGuardrailsVersionHandler implements FieldsHandler {
  private final Operators operators;
  private final GuardrailsVersions versions;

  public RetrieveGuardrailsVersionHandler(Operators operators, GuardrailsVersions versions) {
    this.operators = operators;
    this.versions = versions;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    long version = call.id("version", OperatorReplies::version);
    return operators
        .find(call.caller(), call.id("operator_id", OperatorId::parse))
        .flatMap(operator -> versions.find(operator, version))
        .map(whole -> Reply.ok(GuardrailsVersionView.of(whole)))
        .orElseGet(OperatorReplies::noSuchVersion);
  }
}
