package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.TimeRange;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.outcome.Problem;
import io.actiongovernance.page.Page;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.plan.ListPlans;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import io.actiongovernance.plan.WaitingOn;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/plans}. */
@Operation(
    summary = "List plans",
    description =
        "`status=proposed&waiting_on=approval` is the approval queue; with"
            + " `order=deadline`, the plans that expire first come first.",
    tag = Tag.PLANS,
    answer = PlanView.Item.class,
    list = true)
public final class ListPlansHandler implements RouteHandler<ListPlansHandler.Input> {
  private final ListPlans listPlans;
  private final PlanApprovals approvals;
  private final InstantSource clock;

  ListPlansHandler(ListPlans listPlans, PlanApprovals approvals, InstantSource clock) {
    this.listPlans = listPlans;
    this.approvals = approvals;
    this.clock = clock;
  }

  record Input(
      @Field(
              doc =
                  "Only plans in this state; a plan past its `expires_at` is `expired`, whether or not that was recorded.")
          @Nullable PlanStatus status,
      @Field(
              doc = "Only plans of this operator.",
              published = "^op_[A-Za-z0-9._:-]{1,100}$",
              example = "op_01m80m2r2v3bwk9w41e6q809dq")
          @Nullable OperatorId operatorId,
      @Field(doc = "Only plans with an action on this entity: an exact `entity_key`.")
          @Nullable String entity,
      @Field(
              doc = "Only plans for this event.",
              published = "^ev_[A-Za-z0-9._:-]{1,100}$",
              example = "ev_01m80m2rsawypgrjsyz5r0tf37")
          @Nullable EventId eventId,
      @Field(doc = "Only open plans that wait for this.") @Nullable WaitingOn waitingOn,
      @Field(
              doc =
                  "`deadline`: the earliest `expires_at` first, instead of the newest plan. Only"
                      + " with `status=proposed&waiting_on=approval`. If halts have given back more"
                      + " time to some plans than to others, the order holds within each page.")
          ListPlans.@Nullable Order order,
      @JsonUnwrapped TimeRange time,
      @Field(
              doc =
                  "`me`: only plans that the caller could approve now. Only with"
                      + " `status=proposed&waiting_on=approval`.")
          @Nullable Eligible eligible,
      PageParameters page) {
    Input {
      boolean queue = status == PlanStatus.PROPOSED && waitingOn == WaitingOn.APPROVAL;
      if (order != null && !queue) {
        throw Problem.invalid(
            "order", "order=deadline needs status=proposed and waiting_on=approval.");
      }
      if (eligible != null && !queue) {
        throw Problem.invalid(
            "eligible", "eligible=me needs status=proposed and waiting_on=approval.");
      }
    }
  }

  /**
   * The approvers to whom a list can be limited: it then contains only plans that they can approve.
   */
  enum Eligible {
    ME;

    @JsonValue
    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    Function<Plan, Optional<PlanApprovals.Summary>> summaries = summaries(call.caller());
    Predicate<Plan> admits =
        input.eligible() == null
            ? _ -> true
            : plan -> summaries.apply(plan).filter(one -> one.you().eligible()).isPresent();
    ListPlans.Filter filter =
        new ListPlans.Filter(
            input.status(),
            input.operatorId(),
            input.entity(),
            input.eventId(),
            input.waitingOn(),
            input.time().since(),
            input.time().until(),
            call.caller().reach(),
            admits);
    PageRequest page = call.page(input.page());
    Instant now = clock.instant();
    Partition partition = call.caller().partition();
    Page<Plan> plans =
        input.order() == ListPlans.Order.DEADLINE
            ? listPlans.byDeadline(partition, filter, page)
            : listPlans.list(partition, filter, page);
    return call.list(
        plans, plan -> PlanView.Item.of(plan, now, summaries.apply(plan).orElse(null)));
  }

  /**
   * Returns the function that reads the state of a plan's approvals for the page, once per plan.
   */
  private Function<Plan, Optional<PlanApprovals.Summary>> summaries(Caller caller) {
    Function<Plan, Optional<PlanApprovals.Summary>> reading = approvals.summaries(caller);
    Map<PlanId, Optional<PlanApprovals.Summary>> known = new HashMap<>();
    return plan -> known.computeIfAbsent(plan.id(), _ -> reading.apply(plan));
  }
}
