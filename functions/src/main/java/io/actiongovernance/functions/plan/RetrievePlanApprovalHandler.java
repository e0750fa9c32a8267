package io.actiongovernance.functions.plan;

import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PlanId;

/** {@code GET /v1/plans/{plan_id}/approval}. */
@Operation(
    summary = "Retrieve the approval of a plan",
    description =
        "Returns the requirements, the people who met them, and whether the caller"
            + " could approve.",
    tag = Tag.PLANS,
    answer = PlanApprovalView.class,
    errors = ErrorCode.NOT_FOUND)
public final class RetrievePlanApprovalHandler
    implements RouteHandler<RetrievePlanApprovalHandler.Input> {
  private final PlanApprovals approvals;

  RetrievePlanApprovalHandler(PlanApprovals approvals) {
    this.approvals = approvals;
  }

  record Input(PlanId planId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(approvals.retrieve(call.caller(), input.planId()), PlanApprovalView::of);
  }
}
