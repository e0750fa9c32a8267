package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
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
 * Stores an undo with its part of the allowance, its claim of the original and the lock of their
 * entity, and starts the undo. Thread-safe.
 */
public final class ClaimUndo {
  /** Refusal of a request if the allowance has no room for its actions. */
  static final Refusal NO_ROOM =
      new Refusal.QuotaExceeded(
          "The action allowance's hard cap leaves no room for these actions.",
          Duration.ofSeconds(60));

  private static final int TRIES = 5;

  private final Allowance allowance;
  private final Reserving reserving;
  private final WhyRefused whyRefused;
  private final ExecuteAction executeAction;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public ClaimUndo(
      Allowance allowance,
      WhyRefused whyRefused,
      Transactions transactions,
      ExecuteAction executeAction,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.whyRefused = whyRefused;
    this.allowance = allowance;
    this.reserving = new Reserving(transactions);
    this.executeAction = executeAction;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  sealed interface Claimed {
    record Started() implements Claimed {}

    record Refused(Refusal refusal) implements Claimed {}

    /**
     * The state by which the undo was judged, or the obstacle, has changed, so the undo must be
     * judged again.
     */
    record Overtaken() implements Claimed {}
  }

  /**
   * Claims the original for its undo and starts the undo, if the operator is unchanged since the
   * undo was judged. So an undo cannot bypass an approval policy that was set before. A refused
   * undo takes no lock and nothing of the allowance, because it never runs.
   *
   * @param basis the state by which the undo was judged
   */
  Claimed claim(Action original, Action undo, ClaimPlan.Basis basis) {
    if (Objects.requireNonNull(undo.terms().undoing()).part() == null) {
      return begin(original, undo, basis, () -> undo, List.of());
    }
    Partition partition = original.partition();
    for (int time = 0; time < TRIES; time++) {
      Allowance.Reserve reserve = allowance.reserve(partition, allowance.terms(partition), 1);
      Claimed claimed =
          begin(original, undo, basis, () -> undo.undoing(reserve.part()), reserve.entries());
      if (!reserve.isStale()) {
        return claimed;
      }
    }
    throw new StoreUnavailable("The cap was changed " + TRIES + " times.", null);
  }

  /**
   * Stores the undo and starts it.
   *
   * @param stored supplies the undo as it is when its reservation is prepared
   */
  private Claimed begin(
      Action original,
      Action undo,
      ClaimPlan.Basis basis,
      Supplier<Action> stored,
      List<Entry> entries) {
    boolean runs = Objects.requireNonNull(undo.terms().undoing()).part() != null;
    Instant now = clock.instant();
    Reserving.Result written =
        reserving.run(() -> writes(original, stored.get(), basis, runs, now), entries);
    return switch (written) {
      case Reserving.Result.NoRoom _ -> new Claimed.Refused(NO_ROOM);
      case Reserving.Result.Refused(Store.Transacted.Refused refused) ->
          refused(original, undo.id(), refused);
      case Reserving.Result.Done _ -> {
        if (runs) {
          dispatcher.dispatch(Dispatch.of(undo), Dispatcher.FIRST);
        } else {
          executeAction.execute(Dispatch.of(undo));
        }
        yield new Claimed.Started();
      }
    };
  }

  private static List<Write> writes(
      Action original, Action undo, ClaimPlan.Basis basis, boolean runs, Instant now) {
    List<Write> writes = new ArrayList<>();
    writes.add(Actions.beginUndo(original, undo.id()));
    writes.add(Actions.insertUndo(undo, now.plus(KernelTimes.LOOK)));
    writes.add(basis.unchanged());
    if (runs) {
      writes.add(
          EntityLocks.takeAsked(
              undo.partition(),
              undo.terms().entityKey(),
              undo.id().value(),
              undo.terms().planId(),
              now));
    }
    return writes;
  }

  private Claimed refused(Action original, ActionId undo, Store.Transacted.Refused refused) {
    Optional<Action> there = whyRefused.undone().now(original.partition(), undo);
    if (there.filter(action -> action.terms().undoesAtOnce()).isPresent()) {
      // An undo that already exists came from the same request, sent twice at once.
      return new Claimed.Started();
    }
    Optional<Action> found = whyRefused.undone().now(original.partition(), original.id());
    if (refused.of(2).isPresent()
        || found
            .filter(now -> Objects.equals(now.undo().asked(), original.undo().asked()))
            .isEmpty()) {
      return new Claimed.Overtaken();
    }
    Action now = found.get();
    Optional<EntityLock> lock = refused.of(3).flatMap(Store.Refusal::found).map(EntityLock::read);
    if (lock.filter(met -> hasGone(original.partition(), met)).isPresent()) {
      return new Claimed.Overtaken();
    }
    return new Claimed.Refused(whyRefused.undone().ofRequest(now, lock));
  }

  private boolean hasGone(Partition partition, EntityLock met) {
    return whyRefused.left().free(partition, met) || !whyRefused.locks().ask(partition, met);
  }
}
