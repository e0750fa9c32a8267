package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.ProposedBy;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.DraftedBy;
import io.actiongovernance.plan.PastVeto;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.policy.ProposerKind;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.WatchedEvents.WatchedEvent;
import io.actiongovernance.store.Store;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Has operators propose: each that watches an event, once, however often the trigger is delivered;
 * or one of them when asked to, once more or by its schedule (contract, section 4). Thread-safe.
 */
public final class ProposeForEvent {
  private final WatchedEvents watchedEvents;
  private final EventLog eventLog;
  private final Operators operators;
  private final Connectors connectors;
  private final Vetoes vetoes;
  private final Proposer proposer;
  private final ProposePlan proposePlan;
  private final ProposalRequests requests;
  private final Ids ids;

  public ProposeForEvent(
      Store store,
      EventLog eventLog,
      Operators operators,
      Connectors connectors,
      Vetoes vetoes,
      Proposer proposer,
      ProposePlan proposePlan,
      ProposalRequests requests,
      Ids ids) {
    this.watchedEvents = new WatchedEvents(store, eventLog, operators, connectors);
    this.eventLog = eventLog;
    this.operators = operators;
    this.connectors = connectors;
    this.vetoes = vetoes;
    this.proposer = proposer;
    this.proposePlan = proposePlan;
    this.requests = requests;
    this.ids = ids;
  }

  /**
   * Has every operator that watches the event propose. Models take their time: where several
   * operators watch, each that asks one is asked by a request of its own, so that none makes the
   * others late.
   */
  public void propose(Partition partition, EventId eventId) {
    Optional<WatchedEvent> found = watchedEvents.find(partition, eventId);
    if (found.isEmpty()) {
      return;
    }
    WatchedEvent watched = found.get();
    for (Operator operator : watched.operators()) {
      RequestId requestId = watched.event().requestId();
      if (watched.operators().size() > 1 && operator.asksModel()) {
        String id = ownRequest(operator.id(), eventId);
        requests.store(partition, new ProposalRequest(id, eventId, operator.id(), requestId));
      } else {
        propose(operator, watched.event(), requestId, operator.id().value(), watched);
      }
    }
  }

  /**
   * Has one operator propose, once more for an event or by its schedule; asked for again, it is the
   * same proposal.
   */
  public void propose(Partition partition, ProposalRequest request) {
    Optional<Operator> operator =
        operators
            .find(partition, request.operator())
            .filter(found -> found.status() == OperatorStatus.ACTIVE);
    if (operator.isEmpty()) {
      return;
    }
    EventId eventId = request.event();
    if (eventId == null) {
      propose(operator.get(), null, null, request.id(), null);
      return;
    }
    Optional<Event> event = eventLog.find(partition, eventId);
    if (event.isPresent()) {
      String own = request.operator().value();
      boolean first = request.id().equals(ownRequest(request.operator(), eventId));
      String once = first ? own : own + "#" + request.id();
      propose(operator.get(), event.get(), request.requestId(), once, null);
    }
  }

  /** The request for what the operator proposes for the event by itself. */
  private static String ownRequest(OperatorId operator, EventId event) {
    return operator + "#" + event;
  }

  /**
   * @param once what there is to be one plan of; of an event, the operator is enough where it
   *     proposes by itself
   * @param watched the event with all that was read along with it, if it was
   */
  private void propose(
      Operator operator,
      @Nullable Event event,
      @Nullable RequestId requestId,
      String once,
      @Nullable WatchedEvent watched) {
    CorrelationId correlationId = event == null ? CorrelationId.next(ids) : event.correlationId();
    MDC.put("operator_id", operator.id().value());
    MDC.put("correlation_id", correlationId.value());
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            operator,
            event,
            correlationId,
            requestId,
            new ProposedBy(operator.principal(), event == null ? null : event.ingestedBy()),
            PlanId.next(ids),
            once,
            operator.asksModel() ? ProposerKind.AGENT : ProposerKind.SCRIPT,
            null);
    String provider = operator.modelProvider();
    // A script is asked again for nothing: whether there is a plan already, its storing tells.
    if (provider == null || (operator.asksModel() && proposePlan.finishedBefore(origin))) {
      return;
    }
    ProposalContext context = context(operator, event, watched);
    Proposer.Answer answer = proposer.propose(context);
    DraftedBy draftedBy = new DraftedBy(provider, answer.exchange());
    switch (answer.proposal()) {
      case Proposal.Nothing _ -> {}
      case Proposal.Unusable(String why) -> proposePlan.refuse(origin, why, draftedBy);
      case Proposal.Proposed proposed ->
          proposePlan.propose(
              origin, proposed, context.connectors(), draftedBy, standing(operator, watched));
    }
  }

  /** A model takes so long that what was read before it was asked says nothing any more. */
  private static ClaimPlan.@Nullable Standing standing(
      Operator operator, @Nullable WatchedEvent watched) {
    return watched == null || operator.asksModel() ? null : watched.standing();
  }

  private ProposalContext context(
      Operator operator, @Nullable Event event, @Nullable WatchedEvent watched) {
    // A script is deaf to vetoes.
    List<PastVeto> past =
        ProposalRules.entityOf(operator, event)
            .filter(_ -> operator.asksModel())
            .map(entity -> vetoes.over(operator.partition(), operator.id(), entity))
            .orElse(List.of());
    List<Connector> usable =
        watched == null
            ? connectors.usable(operator.partition(), operator.workspaceId())
            : Connectors.usable(watched.connectors(), operator.workspaceId());
    return new ProposalContext(operator, event, usable, past);
  }
}
