package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Disposition;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Asks the executor to run a plan in proposed. Approval is a request to run, never a bypass: every
 * action is judged anew, and a BLOCK stays blocked (specification, Plans). Thread-safe.
 */
public final class ApprovePlan {
  private final PlannedActions planned;
  private final ClaimPlan claimPlan;
  private final FinishPlan finishPlan;
  private final AwaitDisposal awaitDisposal;
  private final Ids ids;
  private final InstantSource clock;

  public ApprovePlan(
      PlannedActions planned,
      ClaimPlan claimPlan,
      FinishPlan finishPlan,
      AwaitDisposal awaitDisposal,
      Ids ids,
      InstantSource clock) {
    this.planned = planned;
    this.claimPlan = claimPlan;
    this.finishPlan = finishPlan;
    this.awaitDisposal = awaitDisposal;
    this.ids = ids;
    this.clock = clock;
  }

  /**
   * An approval.
   *
   * @param key the same for the same request sent again, which then finds its own claim
   * @param actionIds only these are to run, null for the whole plan
   * @param approver who approves, as the request says; null if it does not, which is its key then
   * @param patience how long to wait for the outcome
   */
  public record Request(
      PlanId planId,
      String key,
      @Nullable List<ActionId> actionIds,
      @Nullable String approver,
      @Nullable String note,
      Duration patience) {}

  /** What became of the request. */
  public sealed interface Result {
    /** The plan is executed; {@code actions} are the selected ones, disposed. */
    record Approved(Plan plan, List<Action> actions) implements Result {}

    /** The plan is executed, and the policy refused every selected action. */
    record AllRefused(Plan plan, List<Action> actions) implements Result {}

    /** The plan executes still; the same request sent again answers with the outcome. */
    record StillExecuting() implements Result {}

    record NotFound() implements Result {}

    /** The action at this place of the selection is not in the plan. */
    record UnknownAction(int position) implements Result {}

    /** Who asks may not approve this plan. */
    record NotEligible(Eligibility.Obstacle obstacle) implements Result {}

    /** The plan is disposed or expired. */
    record NotOpen(Plan plan) implements Result {}

    /** A lock is held, by another plan or by this one, which executes. */
    record Locked(EntityLock lock) implements Result {}

    /** The allowance has no room. */
    record NoAllowance() implements Result {}

    /** A halt covers what was to run. */
    record Halted(HaltRegister.Stop stop) implements Result {}
  }

  /** Approves, and waits for the outcome. */
  public Result approve(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    Optional<Plan> found =
        planned
            .plans()
            .find(caller.partition(), request.planId())
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    if (found.isEmpty()) {
      return new Result.NotFound();
    }
    Plan plan = found.get();
    List<ActionId> chosen =
        request.actionIds() == null ? plan.terms().actionIds() : request.actionIds();
    for (int position = 0; position < chosen.size(); position++) {
      if (!plan.terms().actionIds().contains(chosen.get(position))) {
        return new Result.UnknownAction(position);
      }
    }
    Optional<Eligibility.Obstacle> obstacle =
        Eligibility.obstacle(caller.principal(), plan.terms().proposedBy());
    if (obstacle.isPresent()) {
      return new Result.NotEligible(obstacle.get());
    }
    List<Action> all = planned.allOf(plan);
    return claim(
        plan, all, new HashSet<>(chosen), request.key(), approval(caller, request), deadline);
  }

  private Plan.Approval approval(Caller caller, Request request) {
    String approver = request.approver();
    return new Plan.Approval(
        ApprovalId.next(ids),
        approver == null ? caller.keyName() : approver,
        request.note(),
        List.of(Decider.byKey(caller.principal(), approver, clock.instant())),
        caller.requestId());
  }

  private Result claim(
      Plan plan,
      List<Action> all,
      Set<ActionId> chosen,
      String key,
      Plan.Approval approval,
      Instant deadline) {
    return switch (claimPlan.claim(plan, all, chosen, key, approval, List.of())) {
      case ClaimPlan.Result.Claimed(Plan claimed, boolean fresh) -> {
        if (claimed.state() == Plan.State.EXECUTING) {
          finishPlan.start(claimed, fresh ? all : null);
        }
        yield await(claimed, deadline);
      }
      case ClaimPlan.Result.NotOpen(Plan other) when other.state() == Plan.State.EXECUTING ->
          new Result.Locked(own(other, all));
      case ClaimPlan.Result.NotOpen(Plan other) -> new Result.NotOpen(other);
      case ClaimPlan.Result.Locked(EntityLock lock) -> new Result.Locked(lock);
      case ClaimPlan.Result.NoAllowance _ -> new Result.NoAllowance();
      case ClaimPlan.Result.Halted(HaltRegister.Stop stop) -> new Result.Halted(stop);
    };
  }

  private Result await(Plan claimed, Instant deadline) {
    Optional<Plan> executed =
        awaitDisposal.until(
            deadline,
            () ->
                planned
                    .plans()
                    .find(claimed.partition(), claimed.id())
                    .filter(plan -> plan.state() == Plan.State.EXECUTED));
    if (executed.isEmpty()) {
      return new Result.StillExecuting();
    }
    Plan plan = executed.get();
    List<Action> disposed = planned.selectedOf(plan);
    boolean allRefused =
        disposed.stream()
            .map(Action::disposal)
            .allMatch(disposal -> disposal != null && disposal.disposition() == Disposition.BLOCK);
    return allRefused ? new Result.AllRefused(plan, disposed) : new Result.Approved(plan, disposed);
  }

  /** The lock by which a plan that executes is in its own way. */
  private static EntityLock own(Plan executing, List<Action> all) {
    String entity =
        all.stream()
            .filter(action -> executing.selected().contains(action.id()))
            .findFirst()
            .map(action -> action.terms().entityKey())
            .orElse("");
    return new EntityLock(entity, executing.id().value(), executing.id());
  }
}
