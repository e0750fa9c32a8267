package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.functions.access.DecidedByView;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.plan.ApprovalRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The approval object (contract, section 6). */
@Doc(
    "The permanent record of an approval, whatever became of the actions: the"
        + " approver, the approved actions, and their form at that time.")
record ApprovalView(
    ApprovalId id,
    @Field(doc = "Always `approval`.", constant = "approval") String object,
    PlanId planId,
    @Field(
            doc = "Approved actions, in the order of the plan.",
            example =
                "[{\"action_id\":\"act_01m80m2s3240zyy0xz6nyma7jg\",\"action_digest\":\"216e9ef16bbb9c5cf24f02a8dad3ed2eeb3552fb15a31a99d1ff19221522ae61\",\"tool_digest\":\"5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f5f\"}]")
        List<ApprovedActionView> actions,
    @Field(
            doc =
                "Actions that were not selected; each has a receipt with outcome `skipped`."
                    + " Empty if all were selected.",
            example = "[]")
        List<SkippedActionView> skipped,
    @Field(
            doc = "Name of the approver, as given in the request, else the key's name.",
            example = "dana@acme.example")
        String approver,
    @Field(doc = "The approver's note; null if there is none.") @Nullable String note,
    @Field(
            doc = "Principals that approved, as the service knows them.",
            min = 1,
            example =
                "[{\"type\":\"key\",\"id\":\"key_01m80m2m0rvz8mtfbjg9wyx3ea\",\"name\":\"console\",\"verified\":false,\"claimed_as\":\"dana@acme.example\",\"method\":\"key\",\"at\":\"2026-11-22T03:16:33.387Z\"}]",
            as = DecidedByView.class)
        List<ObjectNode> decidedBy,
    @Field(doc = "Identifier of the request that approved.") RequestId requestId,
    @Field(doc = "The plan's workspace; null for the whole tenant.") @Nullable String workspaceId,
    @Field(
            doc = "Time of the approval: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:33.391Z")
        Instant approvedAt) {
  static ApprovalView of(ApprovalRecord approval) {
    return new ApprovalView(
        approval.id(),
        "approval",
        approval.planId(),
        approval.actions().stream().map(ApprovedActionView::of).toList(),
        approval.skipped().stream()
            .map(skipped -> new SkippedActionView(skipped.actionId(), skipped.receiptId()))
            .toList(),
        approval.approver(),
        approval.note(),
        approval.decidedBy().stream().map(Decider::wire).toList(),
        approval.requestId(),
        approval.workspaceId(),
        approval.approvedAt());
  }

  @Doc("An approved action.")
  record ApprovedActionView(
      ActionId actionId,
      @Field(
              doc =
                  "SHA-256 (hex) of the action as approved; the action runs only while it still"
                      + " has this digest.",
              pattern = "[0-9a-f]{64}")
          String actionDigest,
      @Field(
              doc =
                  "SHA-256 (hex) of the tool as approved; the action runs only while the"
                      + " connector's tool still has this digest.",
              pattern = "[0-9a-f]{64}")
          @Nullable String toolDigest) {
    static ApprovedActionView of(ApprovalRecord.Approved approved) {
      return new ApprovedActionView(
          approved.actionId(), approved.actionDigest(), approved.toolDigest());
    }
  }
}
