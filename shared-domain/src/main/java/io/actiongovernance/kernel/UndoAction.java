package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.PlannedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the declared inverse of an applied action, as an action of its own: under the same lock, by
 * its own idempotency key, evaluated by the guardrails, with its own receipt (specification,
 * Actions; contract, section 2). Thread-safe.
 */
public final class UndoAction {
  private final PlannedActions planned;
  private final HaltRegister halts;
  private final DraftUndo draftUndo;
  private final ClaimUndo claimUndo;
  private final AwaitClaimed awaitClaimed;
  private final InstantSource clock;

  public UndoAction(
      PlannedActions planned,
      HaltRegister halts,
      DraftUndo draftUndo,
      ClaimUndo claimUndo,
      AwaitClaimed awaitClaimed,
      InstantSource clock) {
    this.planned = planned;
    this.halts = halts;
    this.draftUndo = draftUndo;
    this.claimUndo = claimUndo;
    this.awaitClaimed = awaitClaimed;
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

  /** The action whose inverse was applied, and the action that did. */
  public record Undone(Action original, Action undo) {}

  /** Undoes, and waits for the outcome. */
  public Outcome<Undone> undo(Caller caller, Request request) {
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
      return Outcome.refused(new Refusal.NotFound("action"));
    }
    Action original = found.get();
    Optional<Action> begun = planned.actions().find(partition, request.undoId());
    if (begun.isPresent()) {
      return await(original, begun.get(), deadline, true);
    }
    Optional<String> obstacle = obstacle(original);
    if (obstacle.isPresent()) {
      return Outcome.refused(new Refusal.NotUndoable(obstacle.get()));
    }
    Optional<HaltRegister.Stop> stop =
        halts.covering(
            partition, original.terms().operatorId(), Set.of(original.terms().connector()));
    if (stop.isPresent()) {
      return Outcome.refused(new Refusal.Halted(stop.get().halt()));
    }
    return switch (draftUndo.draft(caller, request, original, plan.get().terms().proposedBy())) {
      case Refused<Action>(Refusal refusal) -> Outcome.refused(refusal);
      case Done<Action>(Action undo) ->
          claimUndo
              .claim(original, undo)
              .<Outcome<Undone>>map(Outcome::refused)
              .orElseGet(() -> await(original, undo, deadline, false));
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

  private Outcome<Undone> await(Action original, Action undo, Instant deadline, boolean again) {
    Optional<Action> disposed =
        awaitClaimed.until(
            undo.partition().tenant(),
            deadline,
            again,
            () ->
                planned
                    .actions()
                    .find(undo.partition(), undo.id())
                    .filter(action -> action.disposal() != null));
    if (disposed.isEmpty()) {
      return Outcome.refused(new Refusal.Unfinished());
    }
    Action ended = disposed.get();
    if (ended.isBlocked()) {
      Plan plan = planned.planOf(ended).orElseThrow();
      return Outcome.refused(PlanRefusals.policyBlocked(plan, List.of(ended), clock.instant()));
    }
    Action.Disposal disposal = Objects.requireNonNull(ended.disposal());
    return switch (disposal.outcome()) {
      case APPLIED -> Outcome.done(new Undone(original, ended));
      case DEDUPLICATED -> notUndoable("Another action has the idempotency key of the undo.");
      case UNKNOWN -> failed("Nobody knows whether the inverse applied: " + disposal.error());
      default -> failed("The inverse did not apply: " + disposal.error());
    };
  }

  private static Outcome<Undone> notUndoable(String why) {
    return Outcome.refused(new Refusal.NotUndoable(why));
  }

  private static Outcome<Undone> failed(String why) {
    return Outcome.refused(new Refusal.UpstreamFailed(why));
  }
}
