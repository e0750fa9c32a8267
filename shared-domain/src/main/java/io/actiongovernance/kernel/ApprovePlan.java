package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.action.Action;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.ApprovalId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Eligibility;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanRefusals;
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
 * action is evaluated anew, and a BLOCK stays blocked (specification, Plans). Thread-safe.
 */
public final class ApprovePlan {
  private final PlannedActions planned;
  private final ClaimPlan claimPlan;
  private final FinishPlan finishPlan;
  private final AwaitClaimed awaitClaimed;
  private final Ids ids;
  private final InstantSource clock;

  public ApprovePlan(
      PlannedActions planned,
      ClaimPlan claimPlan,
      FinishPlan finishPlan,
      AwaitClaimed awaitClaimed,
      Ids ids,
      InstantSource clock) {
    this.planned = planned;
    this.claimPlan = claimPlan;
    this.finishPlan = finishPlan;
    this.awaitClaimed = awaitClaimed;
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
   * @param trace where the approver's own trace stands, or null
   */
  public record Request(
      PlanId planId,
      String key,
      @Nullable List<ActionId> actionIds,
      @Nullable String approver,
      @Nullable String note,
      Duration patience,
      @Nullable TraceParent trace) {}

  /** An executed plan, and its selected actions, disposed. */
  public record Approved(Plan plan, List<Action> actions) {}

  /**
   * Approves, and waits for the outcome. Refused too when the policy refused every selected action,
   * though the plan is executed then.
   */
  public Outcome<Approved> approve(Caller caller, Request request) {
    Instant deadline = clock.instant().plus(request.patience());
    Optional<Plan> found =
        planned
            .plans()
            .find(caller.partition(), request.planId())
            .filter(plan -> caller.sees(plan.terms().workspaceId(), plan.terms().operatorId()));
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("plan"));
    }
    Plan plan = found.get();
    List<ActionId> chosen =
        request.actionIds() == null ? plan.terms().actionIds() : request.actionIds();
    for (int position = 0; position < chosen.size(); position++) {
      if (!plan.terms().actionIds().contains(chosen.get(position))) {
        return Outcome.refused(notInPlan(position));
      }
    }
    Optional<Refusal> obstacle =
        Eligibility.obstacle(caller.principal(), plan.terms().proposedBy());
    if (obstacle.isPresent()) {
      return Outcome.refused(obstacle.get());
    }
    List<Action> all = planned.allOf(plan);
    return claim(
        plan, all, new HashSet<>(chosen), request.key(), approval(caller, request), deadline);
  }

  private static Refusal notInPlan(int position) {
    String path = "action_ids[" + position + "]";
    return new Refusal.Invalid(path, path + " is not the id of an action of this plan.");
  }

  private Plan.Approval approval(Caller caller, Request request) {
    String approver = request.approver();
    return new Plan.Approval(
        ApprovalId.next(ids),
        approver == null ? caller.name() : approver,
        request.note(),
        List.of(Decider.by(caller.principal(), approver, clock.instant())),
        caller.requestId(),
        request.trace());
  }

  private Outcome<Approved> claim(
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
        yield await(claimed, deadline, !fresh);
      }
      case ClaimPlan.Result.NotOpen(Plan other) when other.state() == Plan.State.EXECUTING ->
          Outcome.refused(own(other, all).refusal(clock.instant()));
      case ClaimPlan.Result.NotOpen(Plan other) ->
          Outcome.refused(PlanRefusals.notOpen(other, clock.instant()));
      case ClaimPlan.Result.Locked(EntityLock lock) ->
          Outcome.refused(lock.refusal(clock.instant()));
      case ClaimPlan.Result.NoAllowance _ -> Outcome.refused(ClaimUndo.NO_ROOM);
      case ClaimPlan.Result.Halted(HaltRegister.Stop stop) ->
          Outcome.refused(new Refusal.Halted(stop.halt()));
    };
  }

  private Outcome<Approved> await(Plan claimed, Instant deadline, boolean again) {
    Optional<Plan> executed =
        awaitClaimed.until(
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
