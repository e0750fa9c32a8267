package io.actiongovernance.proposer;

import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.proposer.ProposePlan.Origin;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes receipts of proposals that cannot become plans, one for each {@code once} key.
 * Thread-safe.
 */
public final class RefusedProposals {
  private final CreatePlan createPlan;
  private final Transactions transactions;
  private final Ids ids;

  public RefusedProposals(CreatePlan createPlan, Transactions transactions, Ids ids) {
    this.createPlan = createPlan;
    this.transactions = transactions;
    this.ids = ids;
  }

  /**
   * @param digest digest of the exchange with the model, or null if no model was asked
   */
  void record(Origin origin, String why, @Nullable String digest) {
    EventId event = origin.event() == null ? null : origin.event().id();
    Receipt receipt =
        new ReceiptDraft(origin.partition(), Receipt.Kind.PROPOSAL, ReceiptOutcome.REFUSED)
            .with("event_id", event)
            .with("operator_id", origin.operator().id())
            .with("correlation_id", origin.correlationId())
            .with("workspace_id", origin.workspaceId())
            .request(origin.requestId())
            .guardrailsVersion(origin.operator().guardrailsVersion())
            .ok(false)
            .with("error", why)
            .with("reason", why)
            .proposedBy(origin.proposedBy())
            .with("note", digest == null ? null : "proposal " + digest)
            .trace(origin.trace())
            .seal(ReceiptId.next(ids));
    List<Write> writes = new ArrayList<>();
    writes.add(ReceiptLedger.append(receipt));
    if (origin.once() != null) {
      writes.add(createPlan.markRefused(origin.partition(), event, origin.once()));
    }
    // A refusal means that this proposal was already made or refused.
    transactions.run(writes);
  }
}
