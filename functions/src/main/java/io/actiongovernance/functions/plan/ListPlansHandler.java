package io.actiongovernance.functions.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.WaitingOn;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** {@code GET /v1/plans}. */
public final class ListPlansHandler implements FieldsHandler {
  private static final String DEADLINE = "deadline";

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
    boolean byDeadline = byDeadline(call, filter);
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    Instant now = clock.instant();
    Partition partition = call.caller().partition();
    Page<Plan> plans =
        byDeadline
            ? listPlans.byDeadline(partition, filter, page)
            : listPlans.list(partition, filter, page);
    return call.list(plans, plan -> PlanView.Item.of(plan, now));
  }

  /** Whether {@code order} asks for the approval queue by its deadlines; no other list has them. */
  private static boolean byDeadline(Call call, ListPlans.Filter filter) {
    String order =
        call.query("order", text -> Optional.of(text).filter(DEADLINE::equals), DEADLINE);
    if (order == null) {
      return false;
    }
    if (filter.status() != PlanStatus.PROPOSED || filter.waitingOn() != WaitingOn.APPROVAL) {
      throw Problem.invalid(
          "order", "order=deadline goes with status=proposed and waiting_on=approval alone.");
    }
    return true;
  }
}
