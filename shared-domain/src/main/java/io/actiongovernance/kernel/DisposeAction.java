package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.ActionReceipts;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.receipt.Outcome;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Disposes of an action: its receipt, its disposition, what is known of its effect, and the end of
 * a lock held for it alone, in one transaction; then what was reserved for it is settled by the
 * outcome. Every step done again changes nothing. Thread-safe.
 */
public final class DisposeAction {
  private final Actions actions;
  private final ReceiptLedger ledger;
  private final EffectClaims claims;
  private final Budgets budgets;
  private final Allowance allowance;
  private final Transactions transactions;
  private final Ids ids;

  public DisposeAction(
      Actions actions,
      ReceiptLedger ledger,
      EffectClaims claims,
      Budgets budgets,
      Allowance allowance,
      Transactions transactions,
      Ids ids) {
    this.actions = actions;
    this.ledger = ledger;
    this.claims = claims;
    this.budgets = budgets;
    this.allowance = allowance;
    this.transactions = transactions;
    this.ids = ids;
  }

  /**
   * Disposes of the action, unless that was done before.
   *
   * @param holds the policy budgets reserved for it
   * @return false if it is not disposed, because another invocation may be calling for it
   */
  public boolean dispose(Execution execution, Ending ending, List<String> holds) {
    Action action = execution.action();
    ReceiptId receiptId = ReceiptId.next(ids);
    Action.Disposal disposal = disposal(execution, ending, receiptId, holds);
    List<Write> writes = new ArrayList<>();
    writes.add(ledger.append(receipt(execution, ending).seal(receiptId)));
    writes.add(Actions.dispose(action, disposal));
    State effect = ending.settles();
    writes.add(
        effect == null
            ? EffectClaims.noIntent(action)
            : EffectClaims.settle(action, ending.from(), effect));
    Action.Undoing undoing = action.terms().undoing();
    if (undoing != null) {
      writes.add(
          Actions.endUndo(
              action.partition(),
              undoing.original(),
              action.id(),
              ending.outcome() == Outcome.APPLIED));
    }
    Allowance.Part part = execution.part();
    if (part != null && ending.outcome() == Outcome.APPLIED) {
      Allowance.count(action.partition(), part, action.id(), disposal.disposedAt())
          .ifPresent(writes::add);
    }
    if (execution.hasLockOfItsOwn()) {
      writes.add(
          EntityLocks.giveBack(
              action.partition(), action.terms().entityKey(), execution.lockHolder()));
    }
    if (run(action, ending, writes)) {
      settle(execution, disposal);
      return true;
    }
    // It was disposed before, or is not to be now.
    return settle(execution);
  }

  private boolean run(Action action, Ending ending, List<Write> writes) {
    try {
      return transactions.run(writes).done();
    } catch (StoreUnavailable e) {
      CallResult result = ending.result();
      if (result != null) {
        claims.keepResult(action, result);
      }
      throw e;
    }
  }

  /**
   * Settles the limits and the allowance by what was recorded, which a crash may have left undone.
   *
   * @return whether the action is disposed
   */
  public boolean settle(Execution execution) {
    Action action = execution.action();
    Optional<Action.Disposal> recorded =
        actions.find(action.partition(), action.id()).map(Action::disposal);
    if (recorded.isEmpty()) {
      return false;
    }
    settle(execution, recorded.get());
    return true;
  }

  private void settle(Execution execution, Action.Disposal disposal) {
    Action action = execution.action();
    boolean applied = disposal.outcome() == Outcome.APPLIED;
    boolean counts = applied || disposal.outcome() == Outcome.UNKNOWN;
    budgets.settle(action.id(), disposal.holds(), counts);
    Allowance.Part part = execution.part();
    if (part != null) {
      Instant appliedAt = applied ? disposal.disposedAt() : null;
      allowance.settle(action.partition(), part, action.id(), appliedAt);
    }
  }

  private static Action.Disposal disposal(
      Execution execution, Ending ending, ReceiptId receiptId, List<String> holds) {
    return new Action.Disposal(
        ending.disposition(),
        ending.outcome(),
        ending.ok(),
        ending.error(),
        receiptId,
        ending.verdict(),
        execution.approver(),
        ending.inverse(),
        holds,
        receiptId.madeAt());
  }

  private static ReceiptDraft receipt(Execution execution, Ending ending) {
    Action action = execution.action();
    Action.Undoing undoing = action.terms().undoing();
    return ActionReceipts.draft(
            action, undoing == null ? Receipt.Kind.ACTION : Receipt.Kind.UNDO, ending.outcome())
        .request(execution.requestId())
        .guardrailsVersion(execution.guardrailsVersion())
        .verdict(ending.verdict())
        .with("disposition", ending.disposition())
        .ok(ending.ok())
        .with("error", ending.error())
        .with("approver", execution.approver())
        .with("note", execution.note())
        .with("reason", reason(undoing, ending))
        .with("upstream_reference", ending.reference())
        .json("proposed_by", execution.proposedBy().wire())
        .decidedBy(execution.decidedBy())
        .with("approval_id", execution.approvalId());
  }

  private static @Nullable String reason(Action.@Nullable Undoing undoing, Ending ending) {
    if (ending.reason() != null) {
      return ending.reason();
    }
    return undoing == null ? null : undoing.reason();
  }
}
