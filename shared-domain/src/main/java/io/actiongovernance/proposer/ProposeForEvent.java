package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.PastVeto;
import io.actiongovernance.plan.ProposedBy;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Has operators propose: each that watches an event, once, however often the trigger is delivered;
 * or one of them when asked to, once more or by its schedule (contract, section 4). Thread-safe.
 */
public final class ProposeForEvent {
  private final EventLog eventLog;
  private final Operators operators;
  private final Connectors connectors;
  private final Vetoes vetoes;
  private final Proposer proposer;
  private final ProposePlan proposePlan;
  private final ProposalRequests requests;
  private final Ids ids;

  public ProposeForEvent(
      EventLog eventLog,
      Operators operators,
      Connectors connectors,
      Vetoes vetoes,
      Proposer proposer,
      ProposePlan proposePlan,
      ProposalRequests requests,
      Ids ids) {
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
    Optional<Event> event = eventLog.find(partition, eventId);
    if (event.isPresent()) {
      List<Operator> watching = operators.watching(event.get());
      for (Operator operator : watching) {
        String once = once(operator.id(), eventId);
        RequestId requestId = event.get().requestId();
        if (watching.size() > 1 && operator.asksModel()) {
          requests.store(partition, new ProposalRequest(once, eventId, operator.id(), requestId));
        } else {
          propose(operator, event.get(), requestId, once);
        }
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
      propose(operator.get(), null, null, request.id());
      return;
    }
    Optional<Event> event = eventLog.find(partition, eventId);
    if (event.isPresent()) {
      String first = once(request.operator(), eventId);
      String once = request.id().equals(first) ? first : first + "#" + request.id();
      propose(operator.get(), event.get(), request.requestId(), once);
    }
  }

  /** What the operator's own proposal for the event is once. */
  private static String once(OperatorId operator, EventId event) {
    return operator + "#" + event;
  }

  private void propose(
      Operator operator, @Nullable Event event, @Nullable RequestId requestId, String once) {
    CorrelationId correlationId = event == null ? CorrelationId.next(ids) : event.correlationId();
    MDC.put("operator_id", operator.id().value());
    MDC.put("correlation_id", correlationId.value());
    ProposePlan.Origin origin =
        new ProposePlan.Origin(operator, event, correlationId, requestId, PlanId.next(ids), once);
    String provider = operator.modelProvider();
    if (provider == null || proposePlan.finishedBefore(origin)) {
      return;
    }
    ProposalContext context = context(operator, event);
    Proposer.Answer answer = proposer.propose(context);
    ProposedBy proposedBy = new ProposedBy(provider, answer.exchange());
    switch (answer.proposal()) {
      case Proposal.Nothing _ -> {}
      case Proposal.Unusable(String why) -> proposePlan.refuse(origin, why, proposedBy);
      case Proposal.Proposed proposed ->
          proposePlan.propose(origin, proposed, context.connectors(), proposedBy);
    }
  }

  private ProposalContext context(Operator operator, @Nullable Event event) {
    // A script is deaf to vetoes.
    List<PastVeto> past =
        ProposalRules.entityOf(operator, event)
            .filter(_ -> operator.asksModel())
            .map(entity -> vetoes.over(operator.partition(), operator.id(), entity))
            .orElse(List.of());
    return new ProposalContext(
        operator, event, connectors.usable(operator.partition(), operator.workspaceId()), past);
  }
}
