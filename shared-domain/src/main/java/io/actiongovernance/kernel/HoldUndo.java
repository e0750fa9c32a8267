package io.actiongovernance.kernel;

import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.DraftedBy;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.ApprovalPolicy;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Holds an undo that needs an approval, as a plan of that one action, proposed by the caller. An
 * action has at most one such open plan (contract for people, section 2). Until the plan is
 * approved, it takes no lock and does not claim the original. Thread-safe.
 */
public final class HoldUndo {
  private final Plans plans;
  private final CreatePlan createPlan;
  private final UndoneMeanwhile undoneMeanwhile;
  private final InstantSource clock;

  public HoldUndo(
      Plans plans, CreatePlan createPlan, UndoneMeanwhile undoneMeanwhile, InstantSource clock) {
    this.plans = plans;
    this.createPlan = createPlan;
    this.undoneMeanwhile = undoneMeanwhile;
    this.clock = clock;
  }

  /** Returns the open plan that is to undo the action, if any. */
  Optional<Plan> open(Action original) {
    PlanId asked = original.undo().asked();
    return asked == null
        ? Optional.empty()
        : plans.find(original.partition(), asked).filter(plan -> plan.open(clock.instant()));
  }

  /**
   * Stores the plan of an undo.
   *
   * @return empty if the original has changed since it was read; it must then be read again
   */
  Optional<Outcome<Plan>> hold(DraftUndo.Asked asked, Action undo) {
    Action original = asked.original();
    if (original.undo().inFlight() != null) {
      Refusal refusal = undoneMeanwhile.ofRequest(original, Optional.empty());
      return Optional.of(Outcome.refused(refusal));
    }
    Plan plan = plan(asked, undo);
    boolean stored =
        createPlan.createWith(
            new NewPlan(plan, List.of(undo), null, null),
            List.of(),
            List.of(Actions.askUndo(original, plan.id())),
            CreatePlan.due(plan));
    return stored ? Optional.of(Outcome.done(plan)) : Optional.empty();
  }

  private static Plan plan(DraftUndo.Asked asked, Action undo) {
    Action.Terms terms = undo.terms();
    Operator operator = asked.basis().operator().orElseThrow();
    List<ApprovalPolicy> approvals = List.of(Objects.requireNonNull(terms.approval()));
    Instant proposedAt = terms.planId().madeAt();
    Plan.Terms held =
        new Plan.Terms(
            terms.operatorId(),
            terms.eventId(),
            terms.workspaceId(),
            terms.correlationId(),
            asked.caller().requestId(),
            operator.guardrailsVersion(),
            DraftedBy.AGENT,
            ProposedBy.caller(asked.caller()),
            asked.request().reason(),
            List.of(undo.id()),
            Set.of(terms.connector()),
            Plan.Outline.of(List.of(undo)),
            true,
            proposedAt,
            Plan.endOf(proposedAt, proposedAt.plusSeconds(operator.planTtlSeconds()), approvals),
            null,
            approvals);
    return new Plan(
        terms.planId(),
        undo.partition(),
        held,
        Plan.State.PROPOSED,
        WaitingOn.APPROVAL,
        null,
        null,
        null);
  }
}
