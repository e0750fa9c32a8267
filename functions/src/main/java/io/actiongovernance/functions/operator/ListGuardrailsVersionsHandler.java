package io.actiongovernance.functions.operator;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.GuardrailsVersion;
import io.actiongovernance.operator.GuardrailsVersions;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/operators/{operator_id}/guardrails/versions}. */
@Operation(
    summary = "List the versions of the guardrails",
    description =
        "Versions are kept for good, so that you can read the version that a receipt" + " names.",
    tag = Tag.OPERATORS,
    answer = GuardrailsVersionView.Item.class,
    list = true)
public final class ListGuardrailsVersionsHandler
    implements RouteHandler<ListGuardrailsVersionsHandler.Input> {
  private final GuardrailsVersions versions;

  public ListGuardrailsVersionsHandler(GuardrailsVersions versions) {
    this.versions = versions;
  }

  record Input(OperatorId operatorId, PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return switch (versions.list(call.caller(), input.operatorId(), page)) {
      case Done(Page<GuardrailsVersion> versions) ->
          call.list(versions, GuardrailsVersionView.Item::of);
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
