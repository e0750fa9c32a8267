package io.actiongovernance.functions.plan;

import io.actiongovernance.approval.PlanApprovals;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.PlanId;

/** {@code DELETE /v1/plans/{plan_id}/approval/vote}. */
@Operation(
    summary = "Withdraw your vote",
    description =
        "Possible while the plan is open. A receipt records the withdrawal, and the"
            + " receipt that proves the vote stays. To vote again, use a new"
            + " `Idempotency-Key`.",
    tag = Tag.PLANS,
    answer = PlanApprovalView.class,
    errors = {ErrorCode.NOT_FOUND, ErrorCode.STATE_CONFLICT, ErrorCode.APPROVER_NOT_ELIGIBLE})
public final class WithdrawVoteHandler implements RouteHandler<WithdrawVoteHandler.Input> {
  private final PlanApprovals approvals;

  WithdrawVoteHandler(PlanApprovals approvals) {
    this.approvals = approvals;
  }

  record Input(PlanId planId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(approvals.withdraw(call.caller(), input.planId()), PlanApprovalView::of);
  }
}
