package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the declared inverse of an applied action, as an action of its own: under the same lock, by
 * its own idempotency key, vetted by the guardrails, with its own receipt (specification, Actions;
 * contract, section 2). Thread-safe.
 */
public final class UndoAction {
  private final PlannedActions planned;
  private final HaltRegister halts;
  private final DraftUndo draftUndo;
  private final ClaimUndo claimUndo;
  private final AwaitDisposal awaitDisposal;
  private final InstantSource clock;

  public UndoAction(
      PlannedActions planned,
      HaltRegister halts,
      DraftUndo draftUndo,
      ClaimUndo claimUndo,
      AwaitDisposal awaitDisposal,
      InstantSource clock) {
    this.planned = planned;
    this.halts = halts;
    this.draftUndo = draftUndo;
    this.claimUndo = claimUndo;
    this.awaitDisposal = awaitDisposal;
    this.clock = clock;
  }

  /**
   * A request to undo.
   *
   * @param undoId the identifier of the undo action; the same for the same request sent again
   * @param undoneBy who asks, as the request says; null if it does not, which is its key then
   * @param patience how long to wait for the outcome
   */
  public record Request(
      ActionId actionId,
      ActionId undoId,
      @Nullable String undoneBy,
      @Nullable String reason,
      Duration patience) {}

  /** What became of the request. */
  public sealed interface Result {
    /** The inverse applied. */
    record Undone(Action original, Action undo) implements Result {}

    /** The policy refused the inverse. */
    record Refused(Action undo) implements Result {}

    /** The inverse did not apply, or nobody knows whether it did. */
    record Failed(Action undo) implements Result {}

    /** The inverse runs still; the same request sent again answers with the outcome. */
    record StillExecuting() implements Result {}

    record NotFound() implements Result {}

    /** What came of an earlier undo is unknown, and has to be resolved first. */
    record Unknown(ActionId undo) implements Result {}

    /** There is nothing to undo, or no way to. */
    record NotUndoable(String why) implements Result {}

    record Locked(EntityLock lock) implements Result {}

    /** The allowance has no room. */
    record NoAllowance() implements Result {}

    /** A halt covers it. */
    record Halted(HaltRegister.Stop stop) implements Result {}
  }

  /** Undoes, and waits for the outcome. */
  public Result undo(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    Partition partition = caller.partition();
    Optional<Action> found =
        planned
            .actions()
            .find(partition, request.actionId())
            .filter(
                action -> caller.sees(action.terms().workspaceId(), action.terms().operatorId()));
    Optional<Plan> plan = found.flatMap(planned::planOf);
    if (found.isEmpty() || plan.isEmpty()) {
      return new Result.NotFound();
    }
    Action original = found.get();
    Optional<Action> begun = planned.actions().find(partition, request.undoId());
    if (begun.isPresent()) {
      return await(original, begun.get(), deadline);
    }
    Optional<String> obstacle = obstacle(original);
    if (obstacle.isPresent()) {
      return new Result.NotUndoable(obstacle.get());
    }
    Optional<HaltRegister.Stop> stop =
        halts.covering(
            partition, original.terms().operatorId(), Set.of(original.terms().connector()));
    if (stop.isPresent()) {
      return new Result.Halted(stop.get());
    }
    return switch (draftUndo.draft(caller, request, original, plan.get().terms().proposedBy())) {
      case DraftUndo.Draft.Impossible(String why) -> new Result.NotUndoable(why);
      case DraftUndo.Draft.Drafted(Action undo) ->
          claimUndo.claim(original, undo).orElseGet(() -> await(original, undo, deadline));
    };
  }

  private static Optional<String> obstacle(Action original) {
    if (original.terms().undoing() != null) {
      return Optional.of("An undo cannot be undone.");
    }
    if (original.undone()) {
      return Optional.of("The action is already undone.");
    }
    return original.undoable()
        ? Optional.empty()
        : Optional.of("The action did not apply, or its tool declares no inverse.");
  }

  private Result await(Action original, Action undo, Instant deadline) {
    Optional<Action> disposed =
        awaitDisposal.until(
            deadline,
            () ->
                planned
                    .actions()
                    .find(undo.partition(), undo.id())
                    .filter(action -> action.disposal() != null));
    if (disposed.isEmpty()) {
      return new Result.StillExecuting();
    }
    Action.Disposal disposal = Objects.requireNonNull(disposed.get().disposal());
    if (disposal.disposition() == Disposition.BLOCK) {
      return new Result.Refused(disposed.get());
    }
    return switch (disposal.outcome()) {
      case APPLIED -> new Result.Undone(original, disposed.get());
      case DEDUPLICATED ->
          new Result.NotUndoable("Another action has the idempotency key of the undo.");
      default -> new Result.Failed(disposed.get());
    };
  }
}
