package io.actiongovernance.functions.action;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plans;

/** {@code GET /v1/actions/{action_id}}: from the proposal on. */
public final class RetrieveActionHandler implements RouteHandler {
  private final Actions actions;
  private final Plans plans;

  public RetrieveActionHandler(Wiring wiring) {
    this.actions = wiring.loop().actions();
    this.plans = wiring.loop().plans();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return actions
        .find(call.caller().partition(), call.id("action_id", ActionId::parse))
        .filter(action -> call.caller().sees(action.terms().workspaceId()))
        // Without its plan it is half written, and does not exist.
        .filter(this::hasPlan)
        .map(action -> Reply.ok(ActionView.of(action)))
        .orElseGet(() -> Reply.notFound("action"));
  }

  private boolean hasPlan(Action action) {
    return action.settled() || plans.find(action.partition(), action.terms().planId()).isPresent();
  }
}
