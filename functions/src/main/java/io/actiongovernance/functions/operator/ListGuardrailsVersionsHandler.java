package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/operators/{operator_id}/guardrails/versions}. */
public final class ListGuardrailsVersionsHandler implements FieldsHandler {
  private final Operators operators;
  private final GuardrailsVersions versions;

  public ListGuardrailsVersionsHandler(Operators operators, GuardrailsVersions versions) {
    this.operators = operators;
    this.versions = versions;
  }

  @Override
  public Reply handle(Call call) {
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return operators
        .find(call.caller(), call.id("operator_id", OperatorId::parse))
        .map(operator -> call.list(versions.list(operator, page), GuardrailsVersionView::listed))
        .orElseGet(OperatorReplies::notFound);
  }
}
