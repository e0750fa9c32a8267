package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.RetrieveResult;

/** {@code GET /v1/actions/{action_id}/result}. */
@Operation(
    summary = "Retrieve the result of an action",
    description =
        "What the action's call came back with, as long as that is kept. A key that is bound to operators reads those of their actions, any other those alone that it proposed, and one of the role `admin` all. 404 when there is none, or none any more; of an action that another's idempotency key stood for, with `details.holder_action_id`.",
    tag = Tag.ACTIONS,
    answer = ResultView.class)
public final class RetrieveResultHandler implements RouteHandler<RetrieveResultHandler.Input> {
  private final RetrieveResult retrieveResult;

  RetrieveResultHandler(RetrieveResult retrieveResult) {
    this.retrieveResult = retrieveResult;
  }

  /** Of which one. */
  record Input(ActionId actionId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(retrieveResult.retrieve(call.caller(), input.actionId()), ResultView::of);
  }
}
