package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Stores an undo, with its part of the allowance, its claim of the original and the lock of their
 * entity, and sets it going. Thread-safe.
 */
public final class ClaimUndo {
  private final Actions actions;
  private final ReserveAllowance reserveAllowance;
  private final Transactions transactions;
  private final ExecuteAction executeAction;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public ClaimUndo(
      Actions actions,
      ReserveAllowance reserveAllowance,
      Transactions transactions,
      ExecuteAction executeAction,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.actions = actions;
    this.reserveAllowance = reserveAllowance;
    this.transactions = transactions;
    this.executeAction = executeAction;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  /**
   * Claims the original for its undo, and has that run. A refused undo takes no lock and none of
   * the allowance: it never runs.
   *
   * @return what is in the way; empty if the undo is under way
   */
  Optional<Refusal> claim(Action original, Action undo) {
    Partition partition = original.partition();
    Allowance.Part part = Objects.requireNonNull(undo.terms().undoing()).part();
    if (part != null && !reserveAllowance.reserve(partition, part, List.of(undo.id()))) {
      return Optional.of(ReserveAllowance.NO_ROOM);
    }
    Instant now = clock.instant();
    EntityKey entity = undo.terms().entityKey();
    List<Write> writes = new ArrayList<>();
    writes.add(Actions.beginUndo(original, undo.id()));
    writes.add(Actions.insertUndo(undo, now.plus(KernelTimes.LOOK)));
    if (part != null) {
      writes.add(
          EntityLocks.take(partition, entity, undo.id().value(), undo.terms().planId(), now));
    }
    Store.Transacted written = transactions.run(writes);
    if (written instanceof Store.Transacted.Refused refused) {
      if (part != null) {
        reserveAllowance.release(partition, part, undo.id());
      }
      return refusal(original, undo.id(), refused);
    }
    if (part == null) {
      executeAction.execute(Dispatch.of(undo));
    } else {
      dispatcher.dispatch(Dispatch.of(undo), 0);
    }
    return Optional.empty();
  }

  private Optional<Refusal> refusal(
      Action original, ActionId undo, Store.Transacted.Refused refused) {
    // One that is there already is of the same request, made twice at once.
    return actions.find(original.partition(), undo).isPresent()
        ? Optional.empty()
        : Optional.of(obstacle(original, refused));
  }

  private Refusal obstacle(Action original, Store.Transacted.Refused refused) {
    Action now = actions.find(original.partition(), original.id()).orElseThrow();
    ActionId inFlight = now.undo().inFlight();
    if (inFlight != null
        && actions.find(original.partition(), inFlight).filter(Action::unresolved).isPresent()) {
      return new Refusal.UndoUnknown(inFlight);
    }
    Optional<EntityLock> lock = refused.of(2).flatMap(Store.Refusal::found).map(EntityLocks::read);
    if (lock.isPresent()) {
      return lock.get().refusal(clock.instant());
    }
    return now.undone()
        ? new Refusal.NotUndoable("The action is already undone.")
        : new EntityLock(
                original.terms().entityKey(),
                (inFlight == null ? original.id() : inFlight).value(),
                original.terms().planId())
            .refusal(clock.instant());
  }
}
