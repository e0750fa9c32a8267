package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
import io.actiongovernance.plan.PlannedActions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Runs a plan that an approval has claimed, and waits for its outcome. Thread-safe. */
public final class RunApproved {
  private final PlannedActions planned;
  private final FinishPlan finishPlan;
  private final SlottedWait wait;
  private final InstantSource clock;

  public RunApproved(
      PlannedActions planned, FinishPlan finishPlan, SlottedWait wait, InstantSource clock) {
    this.planned = planned;
    this.finishPlan = finishPlan;
    this.wait = wait;
    this.clock = clock;
  }

  /** Executed plan with its selected actions, all disposed. */
  public record Approved(Plan plan, List<Action> actions) {
    public Approved {
      actions = List.copyOf(actions);
    }
  }

  /**
   * Runs a plan that an approval has claimed, and waits for its outcome. Refuses if the claim
   * failed. Also refuses if the policy refused every action, although the plan is then executed.
   */
  Outcome<Approved> run(ClaimPlan.Result result, List<Action> all, Instant deadline) {
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

  /** Returns the executing plan's own lock, which refuses another request for the plan. */
  private static EntityLock own(Plan executing, List<Action> all) {
    Action first =
        all.stream()
            .filter(action -> executing.selected().contains(action.id()))
            .findFirst()
            .orElseGet(all::getFirst);
    return new EntityLock(first.terms().entityKey(), executing.id().value(), executing.id());
  }
}
