package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.ActionReceipts;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ReceiptId;
import io.actiongovernance.kernel.EffectClaim.State;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptLedger;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reserving;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Resolves an action whose outcome is unknown, according to a caller's statement. Writes a receipt
 * and settles its idempotency key, its limits and the allowance (contract, section 2, Resolving).
 * The disposition does not change. Thread-safe.
 */
public final class ResolveAction {
  private final PlannedActions planned;
  private final EffectClaims claims;
  private final DisposeAction disposeAction;
  private final Reserving reserving;

  public ResolveAction(
      PlannedActions planned,
      EffectClaims claims,
      DisposeAction disposeAction,
      Transactions transactions) {
    this.planned = planned;
    this.claims = claims;
    this.disposeAction = disposeAction;
    this.reserving = new Reserving(transactions);
  }

  /**
   * Statement about the outcome.
   *
   * @param applied whether the call took effect
   * @param upstreamReference the source system's own id of the effect, or null
   * @param reason how the caller knows
   * @param minted the ULID of the future receipt; equal for the same request sent again, which then
   *     finds its own receipt
   */
  public record Request(
      ActionId actionId,
      boolean applied,
      @Nullable String upstreamReference,
      String reason,
      String minted) {
    private ReceiptId receiptId(Action action) {
      return ReceiptId.of(minted, action.terms().planId());
    }
  }

  /** Resolves the action, unless it is already resolved. */
  public Outcome<Action> resolve(Caller caller, Request request) {
    Optional<Action> found =
        planned
            .actions()
            .find(caller.partition(), request.actionId())
            .filter(
                action -> caller.sees(action.terms().workspaceId(), action.terms().operatorId()));
    Optional<Plan> plan = found.flatMap(planned::planOf);
    if (found.isEmpty() || plan.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("action"));
    }
    return Eligibility.obstacle(caller.principal(), plan.get().terms().proposedBy())
        .<Outcome<Action>>map(Outcome::refused)
        .orElseGet(() -> resolve(caller, request, found.get(), plan.get()));
  }

  private Outcome<Action> resolve(Caller caller, Request request, Action action, Plan plan) {
    Action.Resolution earlier = action.resolution();
    if (earlier != null) {
      return earlier.receiptId().equals(request.receiptId(action))
          ? Outcome.done(action)
          : refused("The action is already resolved.");
    }
    Action.Disposal disposal = action.disposal();
    if (disposal == null || disposal.outcome() != ReceiptOutcome.UNKNOWN) {
      return refused("The action's outcome is not unknown, so there is nothing to resolve.");
    }
    Action.KeyHolder holder = disposal.holder();
    if (holder != null) {
      return Outcome.refused(new Refusal.UnknownForAnother(holder.action()));
    }
    EffectClaim claim = claims.find(action).orElseThrow();
    boolean own = claim.owner().equals(action.id()) && claim.state() == State.UNKNOWN;
    if (!own && claim.state() != State.APPLIED) {
      return refused(
          "A call under the action's idempotency key is still in flight. Wait until it ends.");
    }
    if (!own && request.applied()) {
      return refused(
          "Another action, "
              + claim.owner()
              + ", has applied under the same idempotency key. Resolve this one as not_applied.");
    }
    return write(caller, request, action, plan, own);
  }

  private static Outcome<Action> refused(String why) {
    return Outcome.refused(new Refusal.Conflict(why));
  }

  /**
   * @param own whether the key is the action's; otherwise another action has applied it
   */
  private Outcome<Action> write(
      Caller caller, Request request, Action action, Plan plan, boolean own) {
    Action.Disposal disposal = Objects.requireNonNull(action.disposal());
    Partition partition = action.partition();
    ReceiptId receiptId = request.receiptId(action);
    Instant now = receiptId.madeAt();
    Action.Resolution resolution =
        new Action.Resolution(
            request.applied(),
            request.upstreamReference(),
            request.reason(),
            receiptId,
            caller.principal(),
            now);
    List<Write> writes = new ArrayList<>();
    writes.add(ReceiptLedger.append(receipt(caller, request, action, plan)));
    writes.add(Actions.resolve(action, resolution));
    writes.add(Actions.unlistUnresolved(action, disposal.disposedAt()));
    writes.add(
        own
            ? EffectClaims.resolve(action, request.applied() ? State.APPLIED : State.FREE)
            : EffectClaims.appliedByAnother(action));
    Action.Undoing undoing = action.terms().undoing();
    if (undoing != null) {
      writes.add(Actions.endUndo(partition, undoing.original(), action.id(), request.applied()));
    }
    // The other action that applied the key has already given back this one's reservations.
    List<Entry> entries =
        own
            ? disposeAction.settling(
                disposeAction.execution(action),
                disposal.reservations(),
                request.applied() ? now : null)
            : List.of();
    if (!reserving.run(() -> writes, entries).done()) {
      // Another request was first, or another action has called again under the key: the stored
      // state decides.
      return resolve(caller, request);
    }
    return Outcome.done(action.resolved(resolution));
  }

  private static Receipt receipt(Caller caller, Request request, Action action, Plan plan) {
    Action.Disposal disposal = Objects.requireNonNull(action.disposal());
    ReceiptOutcome outcome = request.applied() ? ReceiptOutcome.APPLIED : ReceiptOutcome.FAILED;
    Instant at = request.receiptId(action).madeAt();
    return ActionReceipts.draft(action, Receipt.Kind.RESOLUTION, outcome)
        .request(caller.requestId())
        .verdict(disposal.verdict())
        .ok(request.applied())
        .with("reason", request.reason())
        .with("upstream_reference", request.upstreamReference())
        .with("resolves", disposal.receiptId())
        .proposedBy(plan.terms().proposedBy())
        .decidedBy(List.of(Decider.by(caller.principal(), null, at)))
        .seal(request.receiptId(action));
  }
}
