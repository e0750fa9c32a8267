package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.PastVeto;
import io.actiongovernance.plan.Vetoes;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import java.util.List;
import java.util.Optional;

/**
 * Has operators propose for an event: each that watches it, once, however often the trigger is
 * delivered; or one of them once more, when asked to (contract, section 4). Thread-safe.
 */
public final class ProposeForEvent {
  private final EventLog eventLog;
  private final Operators operators;
  private final Connectors connectors;
  private final Vetoes vetoes;
  private final Proposer proposer;
  private final ProposePlan proposePlan;
  private final Ids ids;

  public ProposeForEvent(
      EventLog eventLog,
      Operators operators,
      Connectors connectors,
      Vetoes vetoes,
      Proposer proposer,
      ProposePlan proposePlan,
      Ids ids) {
    this.eventLog = eventLog;
    this.operators = operators;
    this.connectors = connectors;
    this.vetoes = vetoes;
    this.proposer = proposer;
    this.proposePlan = proposePlan;
    this.ids = ids;
  }

  /** Has every operator that watches the event propose. */
  public void propose(Partition partition, EventId eventId) {
    Optional<Event> event = eventLog.find(partition, eventId);
    if (event.isPresent()) {
      for (Operator operator : operators.watching(event.get())) {
        propose(operator, event.get(), event.get().requestId(), operator.id() + "#" + eventId);
      }
    }
  }

  /** Has one operator propose once more; asked for again, it is the same proposal. */
  public void repropose(Partition partition, ProposalRequest request) {
    Optional<Event> event = eventLog.find(partition, request.event());
    Optional<Operator> operator =
        operators
            .find(partition, request.operator())
            .filter(found -> found.status() == OperatorStatus.ACTIVE);
    if (event.isPresent() && operator.isPresent()) {
      String once = request.operator() + "#" + request.event() + "#" + request.id();
      propose(operator.get(), event.get(), request.requestId(), once);
    }
  }

  private void propose(Operator operator, Event event, RequestId requestId, String once) {
    ProposePlan.Origin origin =
        new ProposePlan.Origin(
            operator, event, event.correlationId(), requestId, PlanId.next(ids), once);
    if (operator.model() == null || proposePlan.finishedBefore(origin)) {
      return;
    }
    ProposalContext context = context(operator, event);
    switch (proposer.propose(context)) {
      case Proposal.Nothing _ -> {}
      case Proposal.Unusable(String why) -> proposePlan.refuse(origin, why);
      case Proposal.Proposed proposed ->
          proposePlan.propose(origin, proposed, context.connectors());
    }
  }

  private ProposalContext context(Operator operator, Event event) {
    List<PastVeto> past =
        ProposalRules.entityOf(operator, event)
            .map(entity -> vetoes.over(operator.partition(), operator.id(), entity))
            .orElse(List.of());
    return new ProposalContext(
        operator, event, connectors.usable(operator.partition(), operator.workspaceId()), past);
  }
}
