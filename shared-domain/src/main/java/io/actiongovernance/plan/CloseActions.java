package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.ActionReceipts;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Writes the receipts of actions that will never run, because an approval skipped them, or because
 * their plan was vetoed or has expired. The plan's transition fixes the receipts' identifiers. So a
 * later caller can finish receipts that a crash left unwritten, and none is written twice.
 * Thread-safe.
 */
public final class CloseActions {
  private final Store store;
  private final Transactions transactions;
  private final Actions actions;
  private final Vetoes vetoes;
  private final Ids ids;

  public CloseActions(
      Store store, Transactions transactions, Actions actions, Vetoes vetoes, Ids ids) {
    this.store = store;
    this.transactions = transactions;
    this.actions = actions;
    this.vetoes = vetoes;
    this.ids = ids;
  }

  Map<ActionId, ReceiptId> mint(Plan plan) {
    return mint(plan.id(), plan.terms().actionIds());
  }

  public Map<ActionId, ReceiptId> mint(PlanId plan, List<ActionId> actionIds) {
    Map<ActionId, ReceiptId> receipts = new LinkedHashMap<>();
    actionIds.forEach(action -> receipts.put(action, ReceiptId.next(ids, plan)));
    return receipts;
  }

  /** Finishes the receipts of a plan that has ended without running, and returns the plan. */
  public Plan complete(Plan plan) {
    Plan.Ending ending = plan.ending();
    if (ending == null) {
      return plan;
    }
    boolean vetoed = plan.state() == Plan.State.VETOED;
    close(plan, vetoed ? ReceiptOutcome.VETOED : ReceiptOutcome.EXPIRED, ending.receipts());
    if (vetoed && !ending.withdrawn()) {
      vetoes.remember(plan, actions.findAll(plan.partition(), plan.terms().actionIds()));
    }
    store.write(PlanWrites.settle(plan));
    return plan;
  }

  /** Finishes the receipts of the actions that an approval left out. */
  public void completeSkipped(Plan plan) {
    if (plan.claim() != null) {
      close(plan, ReceiptOutcome.SKIPPED, plan.claim().skipped());
    }
  }

  private void close(Plan plan, ReceiptOutcome outcome, Map<ActionId, ReceiptId> receipts) {
    List<ActionId> left = List.copyOf(receipts.keySet());
    for (Action action : actions.findAll(plan.partition(), left)) {
      ReceiptId receiptId = Objects.requireNonNull(receipts.get(action.id()));
      if (!action.settled()) {
        // A refusal means that another request has already written the receipt.
        transactions.run(
            List.of(
                ReceiptLedger.append(receipt(plan, action, outcome, receiptId)),
                Actions.close(action, new Action.Closing(outcome, receiptId))));
      }
    }
  }

  private static Receipt receipt(
      Plan plan, Action action, ReceiptOutcome outcome, ReceiptId receiptId) {
    Plan.Approval approval = plan.approval();
    Plan.Ending ending = plan.ending();
    return ActionReceipts.draft(action, ActionReceipts.kind(action), outcome)
        .guardrailsVersion(plan.terms().guardrailsVersion())
        .verdict(action.terms().verdict())
        .request(
            approval != null ? approval.requestId() : ending == null ? null : ending.requestId())
        .with("approver", approval == null ? null : approval.approver())
        .with("note", approval == null ? null : approval.note())
        .with("reason", ending == null ? null : ending.reason())
        .proposedBy(plan.terms().proposedBy())
        .decidedBy(plan.decidedBy())
        .with("approval_id", approval == null ? null : approval.id())
        .seal(receiptId);
  }
}
