package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;

/** {@code GET /v1/approvals/{approval_id}} (contract, section 6). Thread-safe. */
public final class RetrieveApproval {
  private final Store store;

  public RetrieveApproval(Store store) {
    this.store = store;
  }

  /** Returns the approval, if the caller may see it. */
  public Outcome<ApprovalRecord> retrieve(Caller caller, ApprovalId id) {
    return store
        .get(ApprovalRecord.key(caller.partition(), id))
        .map(ApprovalRecord::read)
        .filter(approval -> caller.sees(approval.workspaceId(), approval.operatorId()))
        .map(Outcome::done)
        .orElseGet(() -> Outcome.refused(new Refusal.NotFound("approval")));
  }
}
