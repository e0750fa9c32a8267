package io.actiongovernance.proposer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.StartPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.DraftedBy;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.SupersedePlan;
import io.actiongovernance.policy.ProposerKind;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Amends an open plan: vetoes it and puts a new plan with other arguments in its place, which is
 * judged again. So nobody changes a plan that another person is about to approve, and the amender
 * counts as a proposer (contract for people, section 3). Thread-safe.
 */
public final class AmendPlan {
  private final Operators operators;
  private final Connectors connectors;
  private final EventLog eventLog;
  private final PlannedActions planned;
  private final ProposePlan proposePlan;
  private final StartPlan startPlan;
  private final SupersedePlan supersedePlan;
  private final RetrievePlan retrievePlan;
  private final InstantSource clock;

  /** Collaborators that draft the new plan and replace the old one. */
  public record Collaborators(
      ProposePlan proposePlan,
      StartPlan startPlan,
      SupersedePlan supersedePlan,
      RetrievePlan retrievePlan) {}

  public AmendPlan(
      Operators operators,
      Connectors connectors,
      EventLog eventLog,
      PlannedActions planned,
      Collaborators parts,
      InstantSource clock) {
    this.operators = operators;
    this.connectors = connectors;
    this.eventLog = eventLog;
    this.planned = planned;
    this.proposePlan = parts.proposePlan();
    this.startPlan = parts.startPlan();
    this.supersedePlan = parts.supersedePlan();
    this.retrievePlan = parts.retrievePlan();
    this.clock = clock;
  }

  public record Amendment(ActionId action, ObjectNode args) {}

  /**
   * Request to amend a plan.
   *
   * @param amendments at least one; other actions are carried over unchanged
   * @param note the reason, or null
   * @param minted the ULID of the future plan; equal for the same request sent again
   */
  public record Request(
      PlanId plan, List<Amendment> amendments, @Nullable String note, String minted) {
    public Request {
      amendments = List.copyOf(amendments);
    }
  }

  /** Stores the new plan and returns it. Changes nothing if refused. */
  public Outcome<RetrievePlan.Read> amend(Caller caller, Request request) {
    Partition partition = caller.partition();
    PlanId id = proposePlan.tenantState(partition).allowance().spread().plan(request.minted());
    Optional<Plan> found =
        planned
            .plans()
            .find(partition, request.plan())
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("plan"));
    }
    Plan old = found.get();
    Event event = event(partition, old.terms().eventId());
    Optional<Plan> made = startPlan.goOn(partition, id, event);
    if (made.isPresent()) {
      supersedePlan.complete(old);
      return read(partition, id);
    }
    if (!old.open(clock.instant())) {
      return Outcome.refused(PlanRefusals.notOpen(old, clock.instant()));
    }
    return supersede(caller, request, old, id, event)
        .then(
            _ -> {
              startPlan.goOn(partition, id, event);
              return read(partition, id);
            });
  }

  private Outcome<Plan> supersede(
      Caller caller, Request request, Plan old, PlanId id, @Nullable Event event) {
    List<Action> actions = planned.allOf(old);
    Optional<Action> changed =
        actions.stream()
            .filter(action -> !action.computeDigest().equals(action.terms().digest()))
            .findFirst();
    if (changed.isPresent()) {
      return Outcome.refused(
          new Refusal.Conflict(
              "The action " + changed.get().id() + " no longer matches what was proposed."));
    }
    if (actions.stream().anyMatch(action -> action.terms().undoing() != null)) {
      return Outcome.refused(
          new Refusal.Conflict("A plan that undoes an action cannot be amended."));
    }
    Optional<Operator> operator = operators.find(caller, old.terms().operatorId());
    if (operator.isEmpty()) {
      return Outcome.refused(new Refusal.Conflict("The operator of the plan no longer exists."));
    }
    ProposePlan.Origin origin = origin(caller, old, actions, operator.get(), id, event);
    List<Connector> usable = connectors.usable(old.partition(), operator.get().workspaceId());
    return amended(request, actions)
        .then(
            amended ->
                ProposalRules.checkAmended(operator.get(), event, amended, usable, origin.keys()))
        .then(
            drafts -> {
              NewPlan amending =
                  proposePlan.draft(
                      origin,
                      new DraftedBy(old.terms().provider(), null),
                      old.terms().reasoning(),
                      drafts);
              return supersedePlan.supersede(caller, old, amending, reason(request, id));
            });
  }

  private static ProposePlan.Origin origin(
      Caller caller,
      Plan old,
      List<Action> actions,
      Operator operator,
      PlanId id,
      @Nullable Event event) {
    return new ProposePlan.Origin(
        operator,
        event,
        old.terms().correlationId(),
        caller.requestId(),
        old.terms().proposedBy().amendedBy(caller.principal()),
        id,
        null,
        ProposerKind.AGENT,
        null,
        false,
        actions.getFirst().terms().trace(),
        old);
  }

  /** Returns the actions of the plan, each with its amendment if it has one. */
  private static Outcome<List<AmendedAction>> amended(Request request, List<Action> actions) {
    Map<ActionId, Integer> named = new HashMap<>();
    for (int position = 0; position < request.amendments().size(); position++) {
      ActionId action = request.amendments().get(position).action();
      String param = "actions[" + position + "].action_id";
      if (actions.stream().noneMatch(one -> one.id().equals(action))) {
        return Outcome.refused(
            new Refusal.Invalid(param, param + " is not the id of an action of the plan."));
      }
      if (named.put(action, position) != null) {
        return Outcome.refused(
            new Refusal.Invalid(param, param + " repeats the action of an earlier element."));
      }
    }
    List<AmendedAction> amended = new ArrayList<>();
    for (Action action : actions) {
      Integer position = named.get(action.id());
      amended.add(
          position == null
              ? new AmendedAction(action.id().value(), action.terms(), null)
              : new AmendedAction(
                  "actions[" + position + "]",
                  action.terms(),
                  request.amendments().get(position).args()));
    }
    return Outcome.done(amended);
  }

  private static String reason(Request request, PlanId id) {
    return "Amended as " + id + (request.note() == null ? "." : ": " + request.note());
  }

  private @Nullable Event event(Partition partition, @Nullable EventId id) {
    return id == null ? null : eventLog.find(partition, id).orElse(null);
  }

  private Outcome<RetrievePlan.Read> read(Partition partition, PlanId id) {
    return Outcome.done(retrievePlan.read(planned.plans().find(partition, id).orElseThrow()));
  }
}
