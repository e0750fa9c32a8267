package io.actiongovernance.proposer;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.AwaitPlan;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.policy.ProposerKind;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Proposes an outside agent's request as a plan of an operator, and waits for its outcome
 * (contract, section 4). Thread-safe.
 */
public final class ProposeForAgent {
  private final Operators operators;
  private final EventLog eventLog;
  private final ProposePlan proposePlan;
  private final AwaitPlan awaitPlan;
  private final RetrievePlan retrievePlan;
  private final InstantSource clock;

  public ProposeForAgent(
      Operators operators,
      EventLog eventLog,
      ProposePlan proposePlan,
      AwaitPlan awaitPlan,
      RetrievePlan retrievePlan,
      InstantSource clock) {
    this.operators = operators;
    this.eventLog = eventLog;
    this.proposePlan = proposePlan;
    this.awaitPlan = awaitPlan;
    this.retrievePlan = retrievePlan;
    this.clock = clock;
  }

  /**
   * Request of an agent.
   *
   * @param eventId the event that it is for, or null
   * @param minted the ULID of the future plan; equal for the same request sent again
   * @param idempotencyKey the key of the HTTP request, or null
   * @param trace position in the agent's trace, or null
   */
  public record Request(
      OperatorId operatorId,
      @Nullable EventId eventId,
      Proposal.Proposed proposal,
      String minted,
      @Nullable String idempotencyKey,
      Duration patience,
      @Nullable TraceParent trace) {}

  /**
   * Returns the plan when it is disposed, when it waits for an approval, the allowance or the lift
   * of a halt, or when the patience has run out. Also refuses if the policy refused all of its
   * actions, although the plan then exists.
   */
  public Outcome<RetrievePlan.Read> propose(Caller caller, Request request) {
    Optional<Operator> operator = operators.find(caller, request.operatorId());
    if (operator.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("operator"));
    }
    Optional<Event> event = event(caller, request.eventId());
    if (request.eventId() != null && event.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("event"));
    }
    if (operator.get().status() != OperatorStatus.ACTIVE) {
      return Outcome.refused(
          new Refusal.Conflict("The operator is " + operator.get().status().wire() + "."));
    }
    if (event.isPresent() && !operator.get().watches(event.get())) {
      return Outcome.refused(
          new Refusal.Invalid(
              "event_id",
              "event_id names an event of a type or source that the operator does not watch."));
    }
    ClaimPlan.TenantState tenantState = proposePlan.tenantState(caller.partition());
    PlanId planId = tenantState.allowance().spread().plan(request.minted());
    return proposePlan
        .propose(
            origin(caller, request, planId, operator.get(), event.orElse(null)),
            request.proposal(),
            tenantState)
        .then(plan -> shown(awaitPlan.atRest(caller, plan, request.patience())));
  }

  private Optional<Event> event(Caller caller, @Nullable EventId id) {
    return id == null
        ? Optional.empty()
        : eventLog.find(caller.partition(), id).filter(event -> caller.sees(event.workspaceId()));
  }

  private static ProposePlan.Origin origin(
      Caller caller, Request request, PlanId planId, Operator operator, @Nullable Event event) {
    String key = request.idempotencyKey();
    // Derived from the plan's id, so that the same request sent again creates the same plan.
    CorrelationId own =
        new CorrelationId(CorrelationId.PREFIX + planId.value().substring(PlanId.PREFIX.length()));
    return new ProposePlan.Origin(
        operator,
        event,
        event == null ? own : event.correlationId(),
        caller.requestId(),
        ProposedBy.caller(caller, event == null ? null : event.ingestedBy()),
        planId,
        null,
        ProposerKind.AGENT,
        key == null ? null : caller.principal().id() + "\n" + key,
        false,
        request.trace(),
        null);
  }

  private Outcome<RetrievePlan.Read> shown(Plan plan) {
    RetrievePlan.Read read = retrievePlan.read(plan);
    List<Action> actions =
        read.actions().stream().map(RetrievePlan.ActionWithVerdict::action).toList();
    return actions.stream().allMatch(Action::isBlocked)
        ? Outcome.refused(PlanRefusals.policyBlocked(plan, actions, clock.instant()))
        : Outcome.done(read);
  }
}
