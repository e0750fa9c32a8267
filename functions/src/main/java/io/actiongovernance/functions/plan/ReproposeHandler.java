package io.actiongovernance.functions.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Fields;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorStatus;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.proposer.ProposalRequests;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import java.util.Optional;

/** {@code POST /v1/operators/{operator_id}/repropose}. */
public final class ReproposeHandler implements FieldsHandler {
  private final Operators operators;
  private final EventLog eventLog;
  private final ProposalRequests requests;

  public ReproposeHandler(Wiring wiring) {
    this.operators = wiring.operators();
    this.eventLog = wiring.eventLog();
    this.requests = wiring.proposalRequests();
  }

  /** What was asked for. */
  record View(String object, String operatorId, String eventId) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    Fields body = call.body();
    EventId eventId = body.choice("event_id", EventId::parse, "the id of an event");
    body.done();
    OperatorId id = call.id("operator_id", OperatorId::parse);
    Caller caller = call.caller();
    Optional<Operator> operator = operators.find(caller, id);
    if (operator.isEmpty()) {
      return Reply.notFound("operator");
    }
    Optional<Event> event =
        eventLog
            .find(caller.partition(), eventId)
            .filter(found -> caller.sees(found.workspaceId()));
    if (event.isEmpty()) {
      return Reply.notFound("event");
    }
    if (operator.get().status() != OperatorStatus.ACTIVE) {
      return Reply.error(
          ErrorCode.STATE_CONFLICT, "The operator is " + operator.get().status().wire() + ".");
    }
    requests.store(
        caller.partition(), new ProposalRequest(call.mintedId(), eventId, id, caller.requestId()));
    return Reply.accepted(new View("proposal_request", id.value(), eventId.value()));
  }
}
