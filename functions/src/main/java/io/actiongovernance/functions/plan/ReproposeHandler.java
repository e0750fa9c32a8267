package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.proposer.ProposalRequests.ProposalRequest;
import io.actiongovernance.proposer.Repropose;

/** {@code POST /v1/operators/{operator_id}/repropose}. */
@Operation(
    summary = "Have an operator propose again",
    tag = Tag.OPERATORS,
    status = 202,
    answer = ReproposeHandler.ProposalRequestView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class ReproposeHandler implements RouteHandler<ReproposeHandler.Input> {
  private final Repropose repropose;

  ReproposeHandler(Repropose repropose) {
    this.repropose = repropose;
  }

  record Input(
      OperatorId operatorId,
      @Field(doc = "The event to propose for again.", example = "ev_01m7yt2yp95a8nt41gvgs9wym8")
          EventId eventId) {}

  @Doc("A request to propose again.")
  record ProposalRequestView(
      @Field(doc = "Always `proposal_request`.", constant = "proposal_request") String object,
      OperatorId operatorId,
      EventId eventId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return switch (repropose.repropose(
        call.caller(), input.operatorId(), input.eventId(), call.mintedId())) {
      case Done<ProposalRequest> _ ->
          Reply.accepted(
              new ProposalRequestView("proposal_request", input.operatorId(), input.eventId()));
      case Refused<ProposalRequest>(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
