package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.PlannedActions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Claims a plan by an approval, and waits for what comes of it. Thread-safe. */
public final class RunApproved {
  private final PlannedActions planned;
  private final ClaimPlan claimPlan;
  private final FinishPlan finishPlan;
  private final SlottedWait wait;
  private final InstantSource clock;

  public RunApproved(
      PlannedActions planned,
      ClaimPlan claimPlan,
      FinishPlan finishPlan,
      SlottedWait wait,
      InstantSource clock) {
    this.planned = planned;
    this.claimPlan = claimPlan;
    this.finishPlan = finishPlan;
    this.wait = wait;
    this.clock = clock;
  }

  /** An executed plan, and its selected actions, disposed. */
  public record Approved(Plan plan, List<Action> actions) {
    public Approved {
      actions = List.copyOf(actions);
    }
  }

  /** What an approval of an open plan is judged by, as it is now. */
  ClaimPlan.Basis basis(Plan plan) {
    return claimPlan.basis(plan);
  }

  /**
   * Runs the chosen actions of an open plan. Refused too when the policy refused every one of them,
   * though the plan is executed then.
   *
   * @param key the same for the same request sent again, which then finds its own claim
   * @param basis what the approval was judged by
   * @param guard what it rests on, where it rests on more than that somebody approved
   * @param deadline until when to wait for the outcome
   * @return empty if what the approval rests on has changed meanwhile: nothing was written
   */
  Optional<Outcome<Approved>> run(
      Plan plan,
      List<Action> all,
      Set<ActionId> chosen,
      String key,
      Plan.Approval approval,
      ClaimPlan.Basis basis,
      ClaimAttempt.@Nullable Guard guard,
      Instant deadline) {
    return claimPlan
        .claim(plan, all, chosen, key, approval, basis, guard)
        .map(result -> ofResult(result, all, deadline));
  }

  private Outcome<Approved> ofResult(ClaimPlan.Result result, List<Action> all, Instant deadline) {
    return switch (result) {
      case ClaimPlan.Result.Claimed(Plan claimed, boolean fresh) -> {
        if (claimed.state() == Plan.State.EXECUTING) {
          finishPlan.start(claimed, fresh ? all : null);
        }
        yield await(claimed, deadline, !fresh);
      }
      case ClaimPlan.Result.NotOpen(Plan other) -> Outcome.refused(notOpen(other, all));
      case ClaimPlan.Result.Locked(EntityLock lock) ->
          Outcome.refused(lock.refusal(clock.instant()));
      case ClaimPlan.Result.UndoMet(Refusal refusal) -> Outcome.refused(refusal);
      case ClaimPlan.Result.NoAllowance _ -> Outcome.refused(ClaimUndo.NO_ROOM);
      case ClaimPlan.Result.Halted(HaltRegister.Stop stop) ->
          Outcome.refused(new Refusal.Halted(stop.halt()));
    };
  }

  /** What becomes of a plan that is not open: this very request may have claimed it before. */
  Outcome<Approved> ofSettled(Plan plan, List<Action> all, String key, Instant deadline) {
    return switch (ClaimPlan.settled(plan, key)) {
      case ClaimPlan.Result.Claimed(Plan claimed, boolean _) -> {
        if (claimed.state() == Plan.State.EXECUTING) {
          finishPlan.start(claimed, null);
        }
        yield await(claimed, deadline, true);
      }
      default -> Outcome.refused(notOpen(plan, all));
    };
  }

  private Refusal notOpen(Plan plan, List<Action> all) {
    Instant now = clock.instant();
    return plan.state() == Plan.State.EXECUTING
        ? own(plan, all).refusal(now)
        : PlanRefusals.notOpen(plan, now);
  }

  private Outcome<Approved> await(Plan claimed, Instant deadline, boolean again) {
    Optional<Plan> executed =
        wait.forClaimed(
            claimed.partition().tenant(),
            deadline,
            again,
            () ->
                planned
                    .plans()
                    .find(claimed.partition(), claimed.id())
                    .filter(plan -> plan.state() == Plan.State.EXECUTED));
    if (executed.isEmpty()) {
      return Outcome.refused(new Refusal.Unfinished());
    }
    Plan plan = executed.get();
    List<Action> disposed = planned.selectedOf(plan);
    boolean allRefused = disposed.stream().allMatch(Action::isBlocked);
    return allRefused
        ? Outcome.refused(PlanRefusals.policyBlocked(plan, disposed, clock.instant()))
        : Outcome.done(new Approved(plan, disposed));
  }

  /** The lock by which a plan that executes is in its own way. */
  private static EntityLock own(Plan executing, List<Action> all) {
    Action first =
        all.stream()
            .filter(action -> executing.selected().contains(action.id()))
            .findFirst()
            .orElseGet(all::getFirst);
    return new EntityLock(first.terms().entityKey(), executing.id().value(), executing.id());
  }
}
