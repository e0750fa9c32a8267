package io.actiongovernance.functions.action;

import io.actiongovernance.action.Disposition;
import io.actiongovernance.action.ListActions;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.page.PageRequest;

/** {@code GET /v1/actions}. */
public final class ListActionsHandler implements FieldsHandler {
  private final ListActions listActions;

  public ListActionsHandler(Wiring wiring) {
    this.listActions = wiring.loop().listActions();
  }

  @Override
  public Reply handle(Call call) {
    ListActions.Filter filter =
        new ListActions.Filter(
            call.query("plan_id", PlanId::parse, "the id of a plan"),
            call.query("entity"),
            call.query("disposition", Disposition::parse, "ALLOW, ALERT, BLOCK or DEDUP"),
            call.query("operator_id", OperatorId::parse, "the id of an operator"),
            call.queryTime("since"),
            call.queryTime("until"),
            call.caller().reach(),
            Boolean.TRUE.equals(call.queryFlag("unresolved")));
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(
        listActions.list(call.caller().partition(), filter, page), ActionView.Item::of);
  }
}
