package io.actiongovernance.functions.plan;

import io.actiongovernance.api.PageRequest;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.WaitingOn;
import java.time.Instant;
import java.time.InstantSource;

/** {@code GET /v1/plans}. */
public final class ListPlansHandler implements RouteHandler {
  private final ListPlans listPlans;
  private final InstantSource clock;

  public ListPlansHandler(Wiring wiring) {
    this.listPlans = wiring.loop().listPlans();
    this.clock = wiring.clock();
  }

  @Override
  public Reply handle(Call call) {
    ListPlans.Filter filter =
        new ListPlans.Filter(
            call.query("status", PlanStatus::parse, "proposed, executed, vetoed or expired"),
            call.query("operator_id", OperatorId::parse, "the id of an operator"),
            call.query("entity"),
            call.query("event_id", EventId::parse, "the id of an event"),
            call.query("waiting_on", WaitingOn::parse, "approval, execution, lock or allowance"),
            call.queryTime("since"),
            call.queryTime("until"),
            call.caller().reach());
    PageRequest page = call.page();
    call.noOtherQuery();
    Instant now = clock.instant();
    return call.list(
        listPlans.list(call.caller().partition(), filter, page),
        plan -> PlanView.Item.of(plan, now));
  }
}
