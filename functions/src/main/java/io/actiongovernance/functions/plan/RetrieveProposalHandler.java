package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.RetrieveProposal;

/** {@code GET /v1/plans/{plan_id}/proposal}. */
public final class RetrieveProposalHandler implements FieldsHandler {
  private final RetrieveProposal retrieveProposal;

  public RetrieveProposalHandler(Wiring wiring) {
    this.retrieveProposal = wiring.loop().retrieveProposal();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return retrieveProposal
        .retrieve(call.caller(), call.id("plan_id", PlanId::parse))
        .map(read -> Reply.ok(ProposalView.of(read)))
        .orElseGet(() -> Reply.notFound("plan"));
  }
}
