package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.Reserving;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Stores an undo, with its part of the allowance, its claim of the original and the lock of their
 * entity, and sets it going. Thread-safe.
 */
public final class ClaimUndo {
  /** The refusal of a request for whose actions the allowance has no room. */
  static final Refusal NO_ROOM =
      new Refusal.QuotaExceeded(
          "The action allowance's hard cap leaves no room for these actions.",
          Duration.ofSeconds(60));

  private static final int TRIES = 5;

  private final Actions actions;
  private final Allowance allowance;
  private final Reserving reserving;
  private final ExecuteAction executeAction;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public ClaimUndo(
      Actions actions,
      Allowance allowance,
      Transactions transactions,
      ExecuteAction executeAction,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.actions = actions;
    this.allowance = allowance;
    this.reserving = new Reserving(transactions);
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
    if (Objects.requireNonNull(undo.terms().undoing()).part() == null) {
      return begin(original, undo, () -> undo, List.of());
    }
    Partition partition = original.partition();
    for (int time = 0; time < TRIES; time++) {
      Allowance.Reserve reserve = allowance.reserve(partition, allowance.terms(partition), 1);
      Optional<Refusal> refusal =
          begin(original, undo, () -> undo.undoing(reserve.part()), reserve.entries());
      if (!reserve.isStale()) {
        return refusal;
      }
    }
    throw new StoreUnavailable("The cap was changed " + TRIES + " times.", null);
  }

  /**
   * Stores the undo and sets it going.
   *
   * @param stored it as it is once what is reserved is prepared
   */
  private Optional<Refusal> begin(
      Action original, Action undo, Supplier<Action> stored, List<Entry> entries) {
    boolean runs = Objects.requireNonNull(undo.terms().undoing()).part() != null;
    Instant now = clock.instant();
    Reserving.Result written =
        reserving.run(() -> writes(original, stored.get(), runs, now), entries);
    return switch (written) {
      case Reserving.Result.NoRoom _ -> Optional.of(NO_ROOM);
      case Reserving.Result.Refused(Store.Transacted.Refused refused) ->
          refusal(original, undo.id(), refused);
      case Reserving.Result.Done _ -> {
        if (runs) {
          dispatcher.dispatch(Dispatch.of(undo), Dispatcher.FIRST);
        } else {
          executeAction.execute(Dispatch.of(undo));
        }
        yield Optional.empty();
      }
    };
  }

  private static List<Write> writes(Action original, Action undo, boolean runs, Instant now) {
    List<Write> writes = new ArrayList<>();
    writes.add(Actions.beginUndo(original, undo.id()));
    writes.add(Actions.insertUndo(undo, now.plus(KernelTimes.LOOK)));
    if (runs) {
      writes.add(
          EntityLocks.take(
              undo.partition(),
              undo.terms().entityKey(),
              undo.id().value(),
              undo.terms().planId(),
              false,
              now));
    }
    return writes;
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
