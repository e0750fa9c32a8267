package io.actiongovernance.functions.action;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrievePlan;
import java.util.Optional;

/** {@code GET /v1/actions/{action_id}}: from the proposal on. */
public final class RetrieveActionHandler implements FieldsHandler {
  private final Actions actions;
  private final Plans plans;
  private final RetrievePlan retrievePlan;

  public RetrieveActionHandler(Wiring wiring) {
    this.actions = wiring.loop().actions();
    this.plans = wiring.loop().plans();
    this.retrievePlan = wiring.loop().retrievePlan();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return actions
        .find(call.caller().partition(), call.id("action_id", ActionId::parse))
        .filter(
            action -> call.caller().sees(action.terms().workspaceId(), action.terms().operatorId()))
        .flatMap(this::view)
        .map(Reply::ok)
        .orElseGet(() -> Reply.notFound("action"));
  }

  private Optional<ActionView> view(Action action) {
    if (action.settled()) {
      return Optional.of(ActionView.of(action));
    }
    // Without its plan it is half written, and does not exist.
    return plans
        .find(action.partition(), action.terms().planId())
        .map(plan -> ActionView.of(action, retrievePlan.shown(plan, action)));
  }
}
