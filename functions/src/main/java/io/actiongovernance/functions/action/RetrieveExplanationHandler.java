package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.RetrieveExplanation;

/** {@code GET /v1/actions/{action_id}/explanation}. */
@Operation(
    summary = "Explain the verdicts of an action",
    description =
        "Evaluates the recorded version of the guardrails as of the recorded time, and shows which"
            + " guardrails were considered and which of their conditions held.",
    tag = Tag.ACTIONS,
    answer = ExplanationView.class)
public final class RetrieveExplanationHandler
    implements RouteHandler<RetrieveExplanationHandler.Input> {
  private final RetrieveExplanation retrieveExplanation;

  RetrieveExplanationHandler(RetrieveExplanation retrieveExplanation) {
    this.retrieveExplanation = retrieveExplanation;
  }

  record Input(ActionId actionId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        retrieveExplanation.retrieve(call.caller(), input.actionId()), ExplanationView::of);
  }
}
