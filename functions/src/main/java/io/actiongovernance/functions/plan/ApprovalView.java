package io.actiongovernance.functions.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Decider;
import io.actiongovernance.plan.ApprovalRecord;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The approval object (contract, section 6). */
record ApprovalView(
    String id,
    String object,
    String planId,
    List<ApprovalRecord.Approved> actions,
    List<ApprovalRecord.Skipped> skipped,
    String approver,
    @Nullable String note,
    List<ObjectNode> decidedBy,
    String requestId,
    @Nullable String workspaceId,
    Instant approvedAt) {
  static ApprovalView of(ApprovalRecord approval) {
    return new ApprovalView(
        approval.id().value(),
        "approval",
        approval.planId().value(),
        approval.actions(),
        approval.skipped(),
        approval.approver(),
        approval.note(),
        approval.decidedBy().stream().map(Decider::wire).toList(),
        approval.requestId().value(),
        approval.workspaceId(),
        approval.approvedAt());
  }
}
