package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.WatchedEvents.WatchedEvent;
import java.util.Optional;

/**
 * Makes operators propose (contract, section 4). Each operator that watches an event proposes once,
 * however often the trigger is delivered. An operator may also propose again on request, or by its
 * schedule. Thread-safe.
 */
public final class ProposeForEvent {
  private final WatchedEvents watchedEvents;
  private final EventLog eventLog;
  private final Operators operators;
  private final ProposalRequests requests;
  private final AskProposer askProposer;

  public ProposeForEvent(
      WatchedEvents watchedEvents,
      EventLog eventLog,
      Operators operators,
      ProposalRequests requests,
      AskProposer askProposer) {
    this.watchedEvents = watchedEvents;
    this.eventLog = eventLog;
    this.operators = operators;
    this.requests = requests;
    this.askProposer = askProposer;
  }

  /**
   * Makes every operator that watches the event propose. Models are slow. So if several operators
   * watch, each one with a model gets a separate request, so that none delays the others.
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
        requests.store(partition, new ProposalRequest(id, eventId, operator.id(), requestId, null));
      } else {
        askProposer.ask(
            operator,
            new AskProposer.For(watched.event(), requestId, null, operator.id().value()),
            watched);
      }
    }
  }

  /**
   * Makes one operator propose, again for an event or by its schedule. Repeating the request gives
   * the same proposal.
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
      askProposer.ask(operator.get(), new AskProposer.For(null, null, null, request.id()), null);
      return;
    }
    Optional<Event> event = eventLog.find(partition, eventId);
    if (event.isPresent()) {
      askProposer.ask(
          operator.get(),
          new AskProposer.For(event.get(), request.requestId(), request.by(), once(request)),
          null);
    }
  }

  private static String once(ProposalRequest request) {
    String said = request.once();
    if (said != null) {
      return said;
    }
    String own = request.operator().value();
    EventId event = request.event();
    boolean first = event != null && request.id().equals(ownRequest(request.operator(), event));
    return first ? own : own + "#" + request.id();
  }

  /**
   * Returns the id of the request for the proposal that the operator makes for the event without
   * being asked.
   */
  private static String ownRequest(OperatorId operator, EventId event) {
    return operator + "#" + event;
  }
}
