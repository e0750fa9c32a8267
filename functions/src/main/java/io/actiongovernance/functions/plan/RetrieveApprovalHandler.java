package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.plan.RetrieveApproval;

/** {@code GET /v1/approvals/{approval_id}}. */
public final class RetrieveApprovalHandler implements FieldsHandler {
  private final RetrieveApproval retrieveApproval;

  public RetrieveApprovalHandler(Wiring wiring) {
    this.retrieveApproval = wiring.loop().retrieveApproval();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return retrieveApproval
        .retrieve(call.caller(), call.id("approval_id", ApprovalId::parse))
        .map(approval -> Reply.ok(ApprovalView.of(approval)))
        .orElseGet(() -> Reply.notFound("approval"));
  }
}
