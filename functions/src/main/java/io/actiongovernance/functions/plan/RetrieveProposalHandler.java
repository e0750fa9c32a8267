package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.RetrieveProposal;

/** {@code GET /v1/plans/{plan_id}/proposal}. */
@Operation(
    summary = "Retrieve the model's request and response for a plan",
    tag = Tag.PLANS,
    answer = ProposalView.class)
public final class RetrieveProposalHandler implements RouteHandler<RetrieveProposalHandler.Input> {
  private final RetrieveProposal retrieveProposal;

  RetrieveProposalHandler(RetrieveProposal retrieveProposal) {
    this.retrieveProposal = retrieveProposal;
  }

  record Input(PlanId planId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(retrieveProposal.retrieve(call.caller(), input.planId()), ProposalView::of);
  }
}
