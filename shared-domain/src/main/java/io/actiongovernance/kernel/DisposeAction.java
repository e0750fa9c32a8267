package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.ActionReceipts;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EffectClaims.State;
import io.actiongovernance.kernel.Execution.Ending;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Disposes of an action: its receipt, its disposition, what is known of its effect, and the end of
 * a lock taken for it alone, in one transaction; then what was reserved for it is settled by the
 * outcome. Every step done again changes nothing. Thread-safe.
 */
public final class DisposeAction {
  private final PlannedActions planned;
  private final EffectClaims claims;
  private final Budgets budgets;
  private final Allowance allowance;
  private final Transactions transactions;
  private final Ids ids;

  public DisposeAction(
      PlannedActions planned,
      EffectClaims claims,
      Budgets budgets,
      Allowance allowance,
      Transactions transactions,
      Ids ids) {
    this.planned = planned;
    this.claims = claims;
    this.budgets = budgets;
    this.allowance = allowance;
    this.transactions = transactions;
    this.ids = ids;
  }

  /**
   * Disposes of the action, unless that was done before.
   *
   * @param reservations the policy budgets reserved for it
   * @return false if it is not disposed, because another invocation may be calling for it
   */
  public boolean dispose(Execution execution, Ending ending, List<String> reservations) {
    Action action = execution.action();
    ReceiptId receiptId = ReceiptId.next(ids);
    Action.Disposal disposal = disposal(execution, ending, receiptId, reservations);
    List<Write> writes = new ArrayList<>();
    writes.add(ReceiptLedger.append(receipt(execution, ending, disposal).seal(receiptId)));
    writes.add(Actions.dispose(action, disposal));
    State effect = ending.settles();
    writes.add(
        effect == null
            ? EffectClaims.noIntent(action)
            : EffectClaims.settle(action, ending.from(), effect, ending.key().prior()));
    boolean unresolved = disposal.awaitsResolution();
    if (unresolved) {
      writes.add(Actions.listUnresolved(action, disposal.disposedAt()));
    }
    Action.Undoing undoing = action.terms().undoing();
    if (undoing != null && !unresolved) {
      writes.add(
          Actions.endUndo(
              action.partition(),
              undoing.original(),
              action.id(),
              ending.outcome() == ReceiptOutcome.APPLIED));
    }
    Allowance.Part part = execution.part();
    if (part != null && !unresolved) {
      Instant disposedAt = disposal.disposedAt();
      Instant appliedAt = ending.outcome() == ReceiptOutcome.APPLIED ? disposedAt : null;
      writes.addAll(allowance.ending(action.partition(), part, action.id(), appliedAt, disposedAt));
    }
    writes.addAll(lock(execution, ending, disposal.disposedAt()));
    if (run(action, ending, writes)) {
      settleLimits(action.disposed(disposal));
      return true;
    }
    // It was disposed before, or is not to be now.
    return settle(execution);
  }

  /** What becomes of the lock of its entity. */
  private static List<Write> lock(Execution execution, Ending ending, Instant disposedAt) {
    Action action = execution.action();
    EntityKey entity = action.terms().entityKey();
    boolean own = execution.hasLockOfItsOwn();
    if (!ending.settle().isZero()) {
      return EntityLocks.settling(
          action.partition(),
          entity,
          execution.lockHolder(),
          action.terms().planId(),
          disposedAt.plus(ending.settle()),
          own);
    }
    return own
        ? List.of(EntityLocks.giveBack(action.partition(), entity, execution.lockHolder()))
        : List.of();
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
   * Settles the limits by what was recorded, which a crash may have left undone.
   *
   * @return whether the action is disposed
   */
  public boolean settle(Execution execution) {
    Action action = execution.action();
    Optional<Action> recorded =
        planned
            .actions()
            .find(action.partition(), action.id())
            .filter(found -> found.disposal() != null);
    recorded.ifPresent(this::settleLimits);
    return recorded.isPresent();
  }

  /**
   * Settles the limits of an action that is disposed, or resolved: what applied counts on, what may
   * have stays reserved, and all else is given back, that of an action with the same effect too.
   */
  void settleLimits(Action action) {
    Action.Disposal disposal = Objects.requireNonNull(action.disposal());
    if (!action.unresolved()) {
      budgets.settle(action.id(), disposal.reservations(), action.applied());
    }
    ActionId superseded = disposal.superseded();
    if (superseded != null) {
      planned.actions().find(action.partition(), superseded).ifPresent(this::giveBack);
    }
  }

  /** Gives back all that is reserved for an action whose effect has come to be another's. */
  private void giveBack(Action superseded) {
    Action.Disposal disposal = superseded.disposal();
    if (disposal == null) {
      return;
    }
    budgets.settle(superseded.id(), disposal.reservations(), false);
    Allowance.Part part = part(superseded);
    if (part != null) {
      allowance.release(superseded.partition(), part, superseded.id());
    }
  }

  /** What was reserved of the allowance for an action, null if nothing was. */
  Allowance.@Nullable Part part(Action action) {
    Plan plan = planned.planOf(action).orElse(null);
    return new Execution(action, action.terms().undoing() == null ? plan : null).part();
  }

  private Action.@Nullable KeyHolder holder(Execution execution, Ending ending) {
    EffectClaims.Holder holder = ending.key().holder();
    return holder == null
        ? null
        : new Action.KeyHolder(
            holder.action(),
            planned
                .plans()
                .find(execution.action().partition(), holder.plan())
                .map(plan -> (JsonNode) plan.terms().proposedBy().wire())
                .orElse(null));
  }

  private Action.Disposal disposal(
      Execution execution, Ending ending, ReceiptId receiptId, List<String> reservations) {
    return new Action.Disposal(
        ending.disposition(),
        ending.outcome(),
        ending.ok(),
        ending.error(),
        receiptId,
        ending.verdict(),
        execution.approver(),
        ending.inverse(),
        reservations,
        holder(execution, ending),
        ending.outcome() == ReceiptOutcome.APPLIED && ending.key().prior() != null
            ? ending.key().prior().action()
            : null,
        receiptId.madeAt());
  }

  private static ReceiptDraft receipt(
      Execution execution, Ending ending, Action.Disposal disposal) {
    Action action = execution.action();
    Action.KeyHolder holder = disposal.holder();
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
        .with("holder_action_id", holder == null ? null : holder.action())
        .json("holder_proposed_by", holder == null ? null : holder.proposedBy())
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
