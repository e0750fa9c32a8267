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
import io.actiongovernance.store.StoreUnavailable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs the declared inverse of an applied action (specification, Actions; contract, section 2). The
 * inverse is a separate action under the same lock, evaluated by the guardrails, with its own
 * idempotency key and receipt. If the deciding guardrail has an approval policy, the inverse is
 * held as a plan instead (contract for people, section 2). Thread-safe.
 */
public final class UndoAction {
  private static final int TRIES = 8;

  private final PlannedActions planned;
  private final ClaimPlan claimPlan;
  private final DraftUndo draftUndo;
  private final ClaimUndo claimUndo;
  private final HoldUndo holdUndo;
  private final SlottedWait wait;
  private final InstantSource clock;

  /** Collaborators that draft an undo, and then claim or hold it. */
  public record Collaborators(DraftUndo draftUndo, ClaimUndo claimUndo, HoldUndo holdUndo) {}

  public UndoAction(
      PlannedActions planned,
      ClaimPlan claimPlan,
      Collaborators parts,
      SlottedWait wait,
      InstantSource clock) {
    this.planned = planned;
    this.claimPlan = claimPlan;
    this.draftUndo = parts.draftUndo();
    this.claimUndo = parts.claimUndo();
    this.holdUndo = parts.holdUndo();
    this.wait = wait;
    this.clock = clock;
  }

  /**
   * Request to undo.
   *
   * @param undoId identifier of the undo action; equal for the same request sent again
   * @param undoneBy the requester whom the request names; null for the name of its key
   */
  public record Request(
      ActionId actionId,
      ActionId undoId,
      @Nullable String undoneBy,
      @Nullable String reason,
      Duration patience) {
    String minted() {
      return undoId.value().substring(ActionId.PREFIX.length());
    }
  }

  public sealed interface Answer {
    /** The inverse was applied. This has the original action and the undo. */
    record Undone(Action original, Action undo) implements Answer {}

    /**
     * The undo waits for an approval as this plan. All requests made while the plan is open share
     * it.
     */
    record Held(Plan plan) implements Answer {}
  }

  /** Undoes the action, and waits for the outcome unless the undo is held. */
  public Outcome<Answer> undo(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<Outcome<Answer>> answer = attempt(caller, request, deadline);
      if (answer.isPresent()) {
        return answer.get();
      }
    }
    throw new StoreUnavailable("The undo was overtaken " + TRIES + " times.", null);
  }

  /**
   * Attempts the undo. Empty if the state by which it was judged has changed; it must then be
   * judged again.
   */
  private Optional<Outcome<Answer>> attempt(Caller caller, Request request, Instant deadline) {
    Partition partition = caller.partition();
    Optional<Action> found =
        planned
            .actions()
            .find(partition, request.actionId())
            .filter(
                action -> caller.sees(action.terms().workspaceId(), action.terms().operatorId()));
    Optional<Plan> plan = found.flatMap(planned::planOf);
    if (found.isEmpty() || plan.isEmpty()) {
      return refused(new Refusal.NotFound("action"));
    }
    Action original = found.get();
    Optional<Action> begun = planned.actions().find(partition, request.undoId());
    if (begun.isPresent()) {
      return Optional.of(goOn(original, begun.get(), deadline));
    }
    Optional<String> obstacle = obstacle(original);
    if (obstacle.isPresent()) {
      return refused(new Refusal.NotUndoable(obstacle.get()));
    }
    ClaimPlan.Basis basis = claimPlan.basis(plan.get());
    Optional<HaltRegister.Stop> stop =
        basis
            .tenantState()
            .halts()
            .covering(original.terms().operatorId(), Set.of(original.terms().connector()));
    if (stop.isPresent()) {
      return refused(new Refusal.Halted(stop.get().halt()));
    }
    Optional<Plan> open = holdUndo.open(original);
    return open.isPresent()
        ? open.map(UndoAction::held)
        : begin(
            new DraftUndo.Asked(caller, request, original, plan.get().terms().proposedBy(), basis),
            deadline);
  }

  private Optional<Outcome<Answer>> begin(DraftUndo.Asked asked, Instant deadline) {
    return switch (draftUndo.draft(asked)) {
      case Refused<Action>(Refusal refusal) -> refused(refusal);
      case Done<Action>(Action undo) when undo.terms().undoesAtOnce() ->
          switch (claimUndo.claim(asked.original(), undo, asked.basis())) {
            case ClaimUndo.Claimed.Started _ ->
                Optional.of(await(asked.original(), undo, deadline, false));
            case ClaimUndo.Claimed.Refused(Refusal refusal) -> refused(refusal);
            case ClaimUndo.Claimed.Overtaken _ -> Optional.empty();
          };
      case Done<Action>(Action undo) ->
          holdUndo.hold(asked, undo).map(held -> held.map(Answer.Held::new));
    };
  }

  /** Continues a request that was sent before. */
  private Outcome<Answer> goOn(Action original, Action begun, Instant deadline) {
    return begun.terms().undoesAtOnce()
        ? await(original, begun, deadline, true)
        : held(planned.planOf(begun).orElseThrow());
  }

  private static Outcome<Answer> held(Plan plan) {
    return Outcome.done(new Answer.Held(plan));
  }

  private static Optional<Outcome<Answer>> refused(Refusal refusal) {
    return Optional.of(Outcome.refused(refusal));
  }

  private static Optional<String> obstacle(Action original) {
    if (original.terms().undoing() != null) {
      return Optional.of("An undo cannot be undone.");
    }
    if (original.undone()) {
      return Optional.of("The action is already undone.");
    }
    return Optional.ofNullable(original.lacksInverse());
  }

  private Outcome<Answer> await(Action original, Action undo, Instant deadline, boolean again) {
    Optional<Action> disposed =
        wait.forClaimed(
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
      case APPLIED -> Outcome.done(new Answer.Undone(original, ended));
      case DEDUPLICATED ->
          notUndoable("Another action already uses the idempotency key of the undo.");
      case UNKNOWN -> failed("It is not known whether the inverse applied: " + disposal.error());
      default -> failed("The inverse did not apply: " + disposal.error());
    };
  }

  private static Outcome<Answer> notUndoable(String why) {
    return Outcome.refused(new Refusal.NotUndoable(why));
  }

  private static Outcome<Answer> failed(String why) {
    return Outcome.refused(new Refusal.UpstreamFailed(why));
  }
}
