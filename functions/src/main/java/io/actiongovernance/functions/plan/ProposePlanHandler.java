package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.connector.Binds;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.kernel.AwaitDisposal;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.RetrievePlan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.Proposal;
import io.actiongovernance.proposer.ProposalRules;
import io.actiongovernance.proposer.ProposePlan;
import io.actiongovernance.proposer.ProposedAction;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/operators/{operator_id}/plans}: an outside agent proposes. */
public final class ProposePlanHandler implements FieldsHandler {
  /**
   * More than a body has room for, so that the rules of proposals, which receipt a refusal, say
   * that it is too many.
   */
  private static final int MOST_READ = 100_000;

  private final Operators operators;
  private final EventLog eventLog;
  private final ProposePlan proposePlan;
  private final Plans plans;
  private final RetrievePlan retrievePlan;
  private final AwaitDisposal awaitDisposal;
  private final InstantSource clock;

  public ProposePlanHandler(Wiring wiring) {
    this.operators = wiring.operators();
    this.eventLog = wiring.eventLog();
    this.proposePlan = wiring.loop().proposePlan();
    this.plans = wiring.loop().plans();
    this.retrievePlan = wiring.loop().retrievePlan();
    this.awaitDisposal = wiring.loop().awaitDisposal();
    this.clock = wiring.clock();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    String reasoning = body.textOrNull("reasoning", 0, 100_000);
    EventId eventId = body.choiceOrNull("event_id", EventId::parse, "the id of an event");
    List<ProposedAction> actions = actions(body);
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    Caller caller = call.caller();
    Optional<Operator> operator = operators.find(caller, id);
    if (operator.isEmpty()) {
      return Reply.notFound("operator");
    }
    Optional<Event> event = find(caller, eventId);
    if (eventId != null && event.isEmpty()) {
      return Reply.notFound("event");
    }
    if (operator.get().status() != OperatorStatus.ACTIVE) {
      return Reply.error(
          ErrorCode.STATE_CONFLICT, "The operator is " + operator.get().status().wire() + ".");
    }
    if (event.isPresent() && !operator.get().watches(event.get())) {
      return Reply.refused(
          new Refusal.Invalid(
              "event_id", "event_id names an event of a type or source it does not watch."));
    }
    PlanId planId = new PlanId(PlanId.PREFIX + call.mintedId());
    ProposePlan.Origin origin =
        origin(caller, operator.get(), event.orElse(null), planId, call.idempotencyKey());
    return reply(proposePlan.propose(origin, new Proposal.Proposed(reasoning, actions)));
  }

  private ProposePlan.Origin origin(
      Caller caller,
      Operator operator,
      @Nullable Event event,
      PlanId planId,
      @Nullable String idempotencyKey) {
    // Derived from the plan's id, so that the same request sent again makes the same plan.
    CorrelationId own =
        new CorrelationId(CorrelationId.PREFIX + planId.value().substring(PlanId.PREFIX.length()));
    return new ProposePlan.Origin(
        operator,
        event,
        event == null ? own : event.correlationId(),
        caller.requestId(),
        ProposedBy.caller(caller),
        planId,
        null,
        ProposerKind.AGENT,
        idempotencyKey == null ? null : caller.keyId() + "\n" + idempotencyKey);
  }

  private Optional<Event> find(Caller caller, @Nullable EventId id) {
    return id == null
        ? Optional.empty()
        : eventLog.find(caller.partition(), id).filter(event -> caller.sees(event.workspaceId()));
  }

  private static List<ProposedAction> actions(Fields body) {
    List<ProposedAction> actions = new ArrayList<>();
    for (Fields action : body.list("actions", 0, MOST_READ)) {
      JsonNode args = action.value("args");
      actions.add(
          new ProposedAction(
              action.text("connector", 1, 200),
              action.text("tool", 1, 200),
              args,
              action.value("value"),
              action.nameOrNull("currency", 1, Binds.LONGEST_CURRENCY),
              action.nameOrNull("entity_key", 1, ProposalRules.LONGEST_KEY),
              action.nameOrNull("idempotency_key", 1, ProposalRules.LONGEST_KEY)));
      action.done();
    }
    return actions;
  }

  private Reply reply(Outcome<Plan> result) {
    return switch (result) {
      case Refused(Refusal refusal) -> Reply.refused(refusal);
      case Done(Plan plan) -> planned(await(plan));
    };
  }

  /**
   * The plan as it stands once it is disposed, or waits for somebody, or the time is over. A lock
   * is waited for: it goes by itself.
   */
  private RetrievePlan.Read await(Plan plan) {
    Instant deadline = clock.instant().plus(Settings.LONGEST_WAIT);
    Plan last =
        awaitDisposal
            .until(
                deadline,
                () ->
                    plans
                        .find(plan.partition(), plan.id())
                        .filter(
                            now ->
                                now.disposedAt() != null
                                    || now.waitingOn() == WaitingOn.APPROVAL
                                    || now.waitingOn() == WaitingOn.ALLOWANCE
                                    || now.freeze().standing()))
            .orElseGet(() -> plans.find(plan.partition(), plan.id()).orElse(plan));
    return retrievePlan.read(last);
  }

  private Reply planned(RetrievePlan.Read read) {
    List<Action> actions = read.actions().stream().map(RetrievePlan.Judged::action).toList();
    boolean allRefused =
        actions.stream()
            .map(Action::disposal)
            .allMatch(disposal -> disposal != null && disposal.disposition() == Disposition.BLOCK);
    return allRefused
        ? PlanReplies.policyBlocked(read.plan(), actions, clock.instant())
        : Reply.created(PlanView.of(read, clock.instant()));
  }
}
