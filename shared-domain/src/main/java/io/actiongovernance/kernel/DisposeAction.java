package io.actiongovernance.kernel;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.ActionReceipts;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.kernel.EntityLocks.Return;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.policy.Budgets;
import io.actiongovernance.receipt.ReceiptDraft;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.Reserving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Disposes of an action in one transaction. It writes the receipt, the disposition and the known
 * effect, and ends the action's reservations and a lock that was taken for it alone. Repeating it
 * changes nothing. Thread-safe.
 */
public final class DisposeAction {
  private final PlannedActions planned;
  private final EffectClaims claims;
  private final Budgets budgets;
  private final Allowance allowance;
  private final Reserving reserving;
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
    this.reserving = new Reserving(transactions);
    this.ids = ids;
  }

  public enum Disposed {
    /** Not disposed, because another invocation may be making its call. */
    NOT,
    /** Disposed, and nobody waits for a lock that the action had alone. */
    UNNOTICED,
    /** Disposed, and a plan may wait for the action's lock. */
    WAITED_FOR,
    /**
     * Already disposed. The plans that wait for its lock, or for the end of its plan, may not have
     * been notified.
     */
    BEFORE
  }

  /** Disposes of the action, unless it is already disposed. */
  public Disposed dispose(Execution execution, Ending ending, List<Reservation> reservations) {
    return dispose(
        disposing(execution, ending, reservations),
        execution.waited() ? Return.WAITED_FOR : Return.UNNOTICED);
  }

  private Disposed dispose(Disposing disposing, Return how) {
    return switch (run(disposing, disposing.writes(how))) {
      case Reserving.Result.Done _ ->
          how == Return.UNNOTICED ? Disposed.UNNOTICED : Disposed.WAITED_FOR;
      case Reserving.Result.Refused(Store.Transacted.Refused refused) ->
          disposing
              .giveBackOf(refused)
              .filter(other -> other.compareTo(how) > 0)
              // In the meantime, a plan has begun to wait for the lock, or a caller has asked for
              // it.
              .map(other -> dispose(disposing, other))
              .orElseGet(() -> notNow(disposing.execution()));
      case Reserving.Result.NoRoom _ -> notNow(disposing.execution());
    };
  }

  /**
   * Disposes of an action that has a lock of its own, and transfers that lock.
   *
   * @param transfer the writes that transfer the lock, with everything that follows for the next
   *     holder
   * @return false if nothing was written; the action must then be disposed of without the transfer
   */
  boolean handOver(
      Execution execution, Ending ending, List<Reservation> reservations, List<Write> transfer) {
    Disposing disposing = disposing(execution, ending, reservations);
    return run(disposing, Stream.concat(disposing.writes().stream(), transfer.stream()).toList())
        .done();
  }

  private Disposing disposing(Execution execution, Ending ending, List<Reservation> reservations) {
    Action action = execution.action();
    ReceiptId receiptId = ReceiptId.next(ids, action.terms().planId());
    Action.Disposal disposal = disposal(execution, ending, receiptId, reservations);
    List<Write> writes = new ArrayList<>();
    writes.add(ReceiptLedger.append(receipt(execution, ending, disposal).seal(receiptId)));
    writes.add(Actions.dispose(action, disposal));
    State effect = ending.settles();
    writes.add(
        effect == null
            ? EffectClaims.noIntent(action)
            : EffectClaims.settle(action, ending.from(), effect, ending.prior()));
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
    if (execution.endsItsPlan()) {
      writes.add(
          PlanWrites.finish(
              Objects.requireNonNull(execution.plan()),
              PlanOutcomes.counted(List.of(disposal.outcome())),
              disposal.disposedAt()));
    }
    return new Disposing(
        execution, ending, writes, entries(execution, ending, disposal), disposal.disposedAt());
  }

  /**
   * Settles the reservations. If the action applied, they stay counted; if it may have applied,
   * they stay reserved; otherwise they are given back. Also settles the reservations of an action
   * whose effect turned out to be the effect of this one.
   */
  private List<Entry> entries(Execution execution, Ending ending, Action.Disposal disposal) {
    if (disposal.awaitsResolution()) {
      return List.of();
    }
    boolean applied = disposal.outcome() == ReceiptOutcome.APPLIED;
    List<Entry> entries =
        new ArrayList<>(
            ending.end() instanceof End.AppliedBefore
                ? counted(execution)
                : settling(
                    execution, disposal.reservations(), applied ? disposal.disposedAt() : null));
    ActionId superseded = disposal.superseded();
    if (superseded != null) {
      planned
          .actions()
          .find(execution.action().partition(), superseded)
          .filter(Action::unresolved)
          .ifPresent(
              prior ->
                  entries.addAll(
                      settling(
                          execution(prior),
                          Objects.requireNonNull(prior.disposal()).reservations(),
                          null)));
    }
    return entries;
  }

  /**
   * Settles the reservations of an action that applied before its row was restored. It was counted
   * then, and must count only once. Reservations that a second claim of its plan has made since are
   * given back.
   */
  private List<Entry> counted(Execution execution) {
    Action action = execution.action();
    Allowance.Part part = execution.mandate().part();
    boolean claimedSince =
        claims
            .find(action)
            .filter(claim -> execution.mandate().begunAt().isAfter(claim.calledAt()))
            .isPresent();
    return part == null || !claimedSince
        ? List.of()
        : allowance.givingBack(action.partition(), part, execution.mandate().place());
  }

  /**
   * Returns the entries that record, for limits and allowance, whether the action of a claim
   * applied.
   *
   * @param appliedAt null if it did not apply
   */
  List<Entry> settling(
      Execution execution, List<Reservation> reservations, @Nullable Instant appliedAt) {
    List<Entry> entries = new ArrayList<>();
    if (appliedAt == null && !reservations.isEmpty()) {
      entries.add(budgets.givingBack(reservations));
    }
    Allowance.Part part = execution.mandate().part();
    if (part != null) {
      Partition partition = execution.action().partition();
      if (appliedAt != null) {
        entries.add(allowance.applied(partition, part, execution.mandate().place(), appliedAt));
      } else {
        entries.addAll(allowance.givingBack(partition, part, execution.mandate().place()));
      }
    }
    return entries;
  }

  Execution execution(Action action) {
    return new Execution(
        action, action.terms().undoesAtOnce() ? Optional.empty() : planned.planOf(action));
  }

  /** Disposal, without the release of the lock of the action's entity. */
  private record Disposing(
      Execution execution, Ending ending, List<Write> writes, List<Entry> entries, Instant at) {
    List<Write> writes(Return how) {
      return Stream.concat(writes.stream(), lock(how).stream()).toList();
    }

    private List<Write> lock(Return how) {
      Action action = execution.action();
      Action.Terms terms = action.terms();
      boolean own = execution.mandate().hasLockOfItsOwn();
      EntityLock lock =
          new EntityLock(terms.entityKey(), execution.mandate().lockHolder(), terms.planId());
      if (!ending.settle().isZero()) {
        return EntityLocks.settling(action.partition(), lock, at.plus(ending.settle()), own);
      }
      return own ? List.of(EntityLocks.giveBack(action.partition(), lock, how, at)) : List.of();
    }

    /** Returns how to give back the lock that refused the disposal; empty if that is impossible. */
    Optional<Return> giveBackOf(Store.Transacted.Refused refused) {
      return ending.settle().isZero()
          ? refused
              .of(writes.size())
              .flatMap(Store.Refusal::found)
              .flatMap(found -> EntityLocks.giveBackOf(found, execution.mandate().lockHolder(), at))
          : Optional.empty();
    }
  }

  private Reserving.Result run(Disposing disposing, List<Write> writes) {
    try {
      return reserving.run(() -> writes, disposing.entries());
    } catch (StoreUnavailable e) {
      CallResult result = disposing.ending().end().result();
      if (result != null) {
        claims.keepResult(
            disposing.execution().action(), result, disposing.ending().resultSha256());
      }
      throw e;
    }
  }

  /** Returns whether the action was already disposed, or must not be disposed now. */
  private Disposed notNow(Execution execution) {
    Action action = execution.action();
    return planned
            .actions()
            .find(action.partition(), action.id())
            .filter(found -> found.disposal() != null)
            .isPresent()
        ? Disposed.BEFORE
        : Disposed.NOT;
  }

  private Action.@Nullable KeyHolder holder(Execution execution, Ending ending) {
    EffectClaim.Holder holder = ending.end().holder();
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
      Execution execution, Ending ending, ReceiptId receiptId, List<Reservation> reservations) {
    return new Action.Disposal(
        ending.end().disposition(),
        ending.outcome(),
        ending.ok(),
        ending.end().error(),
        receiptId,
        ending.end().verdict(),
        execution.mandate().approver(),
        ending.inverse(),
        reservations,
        holder(execution, ending),
        ending.outcome() == ReceiptOutcome.APPLIED && ending.prior() != null
            ? ending.prior().action()
            : null,
        ending.resultSha256(),
        receiptId.madeAt());
  }

  private static ReceiptDraft receipt(
      Execution execution, Ending ending, Action.Disposal disposal) {
    Action action = execution.action();
    Action.KeyHolder holder = disposal.holder();
    Action.Undoing undoing = action.terms().undoing();
    Plan.Approval approval = execution.mandate().approval();
    return ActionReceipts.draft(action, ActionReceipts.kind(action), ending.outcome())
        .request(execution.mandate().requestId())
        .guardrailsVersion(execution.guardrailsVersion())
        .verdict(ending.end().verdict())
        .evaluatedAt(execution.evaluatedAt())
        .with("disposition", ending.end().disposition())
        .ok(ending.ok())
        .with("error", ending.end().error())
        .with("approver", execution.mandate().approver())
        .with("note", approval == null ? null : approval.note())
        .with("reason", reason(undoing, ending))
        .with("upstream_reference", ending.reference())
        .with("result_sha256", ending.resultSha256())
        .with("holder_action_id", holder == null ? null : holder.action())
        .json("holder_proposed_by", holder == null ? null : holder.proposedBy())
        .proposedBy(execution.mandate().proposedBy())
        .decidedBy(execution.mandate().decidedBy())
        .with("approval_id", approval == null ? null : approval.id());
  }

  private static @Nullable String reason(Action.@Nullable Undoing undoing, Ending ending) {
    String own = ending.end().reason();
    return own != null || undoing == null ? own : undoing.reason();
  }
}
