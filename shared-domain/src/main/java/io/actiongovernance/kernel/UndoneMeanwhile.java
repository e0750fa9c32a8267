package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Refusal;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/** Explains why an action could not be claimed for an undo. Thread-safe. */
public final class UndoneMeanwhile {
  private static final String UNDONE = "The action is already undone.";

  private final Actions actions;
  private final InstantSource clock;

  public UndoneMeanwhile(Actions actions, InstantSource clock) {
    this.actions = actions;
    this.clock = clock;
  }

  Optional<Action> now(Partition partition, ActionId id) {
    return actions.find(partition, id);
  }

  /**
   * Returns the refusal of a request to undo.
   *
   * @param original its current state
   * @param lock the lock that was also found taken, if any
   */
  Refusal ofRequest(Action original, Optional<EntityLock> lock) {
    return inFlight(original)
        .filter(Action::unresolved)
        .<Refusal>map(undo -> new Refusal.UndoUnknown(undo.id()))
        .or(() -> lock.map(this::refusal))
        .orElseGet(
            () ->
                original.undone()
                    ? new Refusal.NotUndoable(UNDONE)
                    : refusal(lock(original, inFlight(original).orElse(original))));
  }

  /**
   * Returns the refusal of an approval of an undo.
   *
   * @param lock the lock that was also found taken, if any
   */
  Refusal ofClaim(Action undo, Optional<EntityLock> lock) {
    ActionId id = Objects.requireNonNull(undo.terms().undoing()).original();
    Optional<Action> original = now(undo.partition(), id);
    if (original.isEmpty() || original.get().undone()) {
      return new Refusal.Conflict(UNDONE);
    }
    return original.get().undo().inFlight() == null && lock.isEmpty()
        ? new Refusal.Conflict("Another undo of the action was requested meanwhile.")
        : ofRequest(original.get(), lock);
  }

  private Optional<Action> inFlight(Action original) {
    ActionId id = original.undo().inFlight();
    return id == null ? Optional.empty() : now(original.partition(), id);
  }

  private static EntityLock lock(Action original, Action holder) {
    return new EntityLock(
        original.terms().entityKey(), holder.id().value(), holder.terms().planId());
  }

  private Refusal refusal(EntityLock lock) {
    return lock.refusal(clock.instant());
  }
}
