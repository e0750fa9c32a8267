package io.actiongovernance.functions.plan;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.plan.RetrieveApproval;

/** {@code GET /v1/approvals/{approval_id}}. */
@Operation(
    summary = "Retrieve an approval",
    description =
        "Returns the approver, the approved actions of a plan, and their form at that"
            + " time. The record stays, whatever became of the actions.",
    tag = Tag.PLANS,
    answer = ApprovalView.class)
public final class RetrieveApprovalHandler implements RouteHandler<RetrieveApprovalHandler.Input> {
  private final RetrieveApproval retrieveApproval;

  RetrieveApprovalHandler(RetrieveApproval retrieveApproval) {
    this.retrieveApproval = retrieveApproval;
  }

  record Input(ApprovalId approvalId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(retrieveApproval.retrieve(call.caller(), input.approvalId()), ApprovalView::of);
  }
}
