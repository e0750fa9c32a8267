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
        "Returns the source system's answer to the action's call, as long as it is"
            + " kept. A key that is bound to operators reads the results of their actions,"
            + " and a key of the role `admin` reads all. Any other key reads only the results"
            + " of actions that it proposed. 404 if there is no result, or if it is no longer"
            + " kept. If the action was deduplicated, the 404 has `details.holder_action_id`.",
    tag = Tag.ACTIONS,
    answer = ResultView.class)
public final class RetrieveResultHandler implements RouteHandler<RetrieveResultHandler.Input> {
  private final RetrieveResult retrieveResult;

  RetrieveResultHandler(RetrieveResult retrieveResult) {
    this.retrieveResult = retrieveResult;
  }

  record Input(ActionId actionId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(retrieveResult.retrieve(call.caller(), input.actionId()), ResultView::of);
  }
}
