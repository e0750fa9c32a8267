package io.actiongovernance.functions.action;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.RetrieveAction;

/** {@code GET /v1/actions/{action_id}}: from the proposal on. */
@Operation(summary = "Retrieve an action", tag = Tag.ACTIONS, answer = ActionView.class)
public final class RetrieveActionHandler implements RouteHandler<RetrieveActionHandler.Input> {
  private final RetrieveAction retrieveAction;

  public RetrieveActionHandler(Wiring wiring) {
    this.retrieveAction = wiring.loop().retrieveAction();
  }

  /** Which one. */
  record Input(ActionId actionId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        retrieveAction.retrieve(call.caller(), input.actionId()),
        read -> ActionView.of(read.action(), read.verdict()));
  }
}
