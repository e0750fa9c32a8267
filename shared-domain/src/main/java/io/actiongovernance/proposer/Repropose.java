package io.actiongovernance.proposer;

import io.actiongovernance.access.Caller;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import java.util.Optional;

/** Requests that an operator propose again for an event (contract, section 4). Thread-safe. */
public final class Repropose {
  private final Operators operators;
  private final EventLog eventLog;
  private final ProposalRequests requests;

  public Repropose(Operators operators, EventLog eventLog, ProposalRequests requests) {
    this.operators = operators;
    this.eventLog = eventLog;
    this.requests = requests;
  }

  /**
   * Stores the request; the operator proposes later.
   *
   * @param request the identifier minted for the request. The same request sent again changes
   *     nothing
   */
  public Outcome<ProposalRequest> repropose(
      Caller caller, OperatorId id, EventId eventId, String request) {
    return switch (operators.retrieve(caller, id)) {
      case Refused<Operator>(Refusal refusal) -> Outcome.refused(refusal);
      case Done<Operator>(Operator operator) -> {
        Optional<Event> event =
            eventLog
                .find(caller.partition(), eventId)
                .filter(found -> caller.sees(found.workspaceId()));
        if (event.isEmpty()) {
          yield Outcome.refused(new Refusal.NotFound("event"));
        }
        if (operator.status() != OperatorStatus.ACTIVE) {
          yield Outcome.refused(
              new Refusal.Conflict("The operator is " + operator.status().wire() + "."));
        }
        ProposalRequest asked =
            new ProposalRequest(request, eventId, id, caller.requestId(), caller.principal());
        requests.store(caller.partition(), asked);
        yield Outcome.done(asked);
      }
    };
  }
}
