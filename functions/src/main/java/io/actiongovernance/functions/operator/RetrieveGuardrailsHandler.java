package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.operator.Operators;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/operators/{operator_id}/guardrails}: the current set, or that of a version. */
@Operation(summary = "Retrieve the guardrails", tag = Tag.OPERATORS, answer = GuardrailsView.class)
public final class RetrieveGuardrailsHandler
    implements RouteHandler<RetrieveGuardrailsHandler.Input> {
  private final Operators operators;
  private final GuardrailsVersions versions;

  public RetrieveGuardrailsHandler(Operators operators, GuardrailsVersions versions) {
    this.operators = operators;
    this.versions = versions;
  }

  record Input(
      OperatorId operatorId,
      @Field(
              doc = "Version to retrieve; the current one if left out.",
              min = 1,
              rule = "a version's number")
          @Nullable Long version) {}

  @Override
  public Reply handle(Call call, Input input) {
    Long version = input.version();
    return version == null
        ? Reply.of(
            operators.retrieve(call.caller(), input.operatorId()),
            operator -> GuardrailsView.of(operator))
        : Reply.of(
            versions.retrieve(call.caller(), input.operatorId(), version),
            whole -> GuardrailsView.of(whole));
  }
}
