package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/operators/{operator_id}/guardrails}: as they are, or as a version was. */
public final class RetrieveGuardrailsHandler implements FieldsHandler {
  private final Operators operators;
  private final GuardrailsVersions versions;

  public RetrieveGuardrailsHandler(Operators operators, GuardrailsVersions versions) {
    this.operators = operators;
    this.versions = versions;
  }

  @Override
  public Reply handle(Call call) {
    Long version = call.query("version", OperatorReplies::version, "a version's number");
    call.noOtherQuery();
    return operators
        .find(call.caller(), call.id("operator_id", OperatorId::parse))
        .map(operator -> guardrails(operator, version))
        .orElseGet(OperatorReplies::notFound);
  }

  private Reply guardrails(Operator operator, @Nullable Long version) {
    return version == null
        ? Reply.ok(GuardrailsView.of(operator))
        : versions
            .find(operator, version)
            .map(whole -> Reply.ok(GuardrailsView.of(whole)))
            .orElseGet(OperatorReplies::noSuchVersion);
  }
}
