package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Store;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs plans that need nobody's approval, and moves on whatever has stopped: the one answer to
 * "look at this plan again". It can be asked at any time, any number of times. Thread-safe.
 */
public final class RunPlan {
  private final Store store;
  private final Plans plans;
  private final Actions actions;
  private final ClaimPlan claimPlan;
  private final EntityLocks locks;
  private final FinishPlan finishPlan;
  private final ExpirePlan expirePlan;
  private final CloseActions closeActions;
  private final InstantSource clock;

  public RunPlan(
      Store store,
      Plans plans,
      Actions actions,
      ClaimPlan claimPlan,
      EntityLocks locks,
      FinishPlan finishPlan,
      ExpirePlan expirePlan,
      CloseActions closeActions,
      InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.actions = actions;
    this.claimPlan = claimPlan;
    this.locks = locks;
    this.finishPlan = finishPlan;
    this.expirePlan = expirePlan;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /** Does for the plan whatever can be done for it now. */
  public void resume(Partition partition, PlanId id) {
    plans.find(partition, id).ifPresent(this::resume);
  }

  private void resume(Plan plan) {
    switch (plan.state()) {
      case PROPOSED -> {
        if (plan.overdue(clock.instant())) {
          expirePlan.record(plan);
          passOn(plan, allActions(plan));
        } else if (!plan.terms().held()) {
          run(plan, allActions(plan));
        }
      }
      case EXECUTING -> start(plan, null);
      case VETOED, EXPIRED -> {
        closeActions.complete(plan);
        passOn(plan, allActions(plan));
      }
      case EXECUTED -> passOn(plan, allActions(plan));
    }
  }

  /** Claims an unheld plan and sets it going, or has it wait for what it lacks. */
  public void run(Plan plan, List<Action> all) {
    run(plan, all, null, null);
  }

  /**
   * The same for a plan that was stored just now.
   *
   * @param operator the plan's, if it was read for this; null if not
   * @param first what a first attempt to claim it came to; null if there was none
   */
  void run(
      Plan plan, List<Action> all, @Nullable Operator operator, ClaimPlan.@Nullable Result first) {
    Set<String> met = new HashSet<>();
    // Registering as a waiter and trying once more leaves no moment at which a release could be
    // missed.
    for (int attempt = 0; attempt <= all.size(); attempt++) {
      ClaimPlan.Result result =
          attempt == 0 && first != null
              ? first
              : claimPlan.claim(
                  plan,
                  all,
                  new HashSet<>(plan.terms().actionIds()),
                  plan.id().value(),
                  null,
                  attempt == 0 ? operator : null);
      switch (result) {
        case ClaimPlan.Result.Claimed(Plan claimed, boolean fresh) -> {
          start(claimed, fresh ? all : null);
          if (!met.isEmpty() || plan.waitingOn() == WaitingOn.LOCK) {
            passOn(claimed, all);
          }
          return;
        }
        case ClaimPlan.Result.NotOpen _ -> {
          return;
        }
        case ClaimPlan.Result.Halted _ -> {
          // Lifting wakes what waits for its execution; until then nobody is to wait behind it.
          if (!met.isEmpty() || plan.waitingOn() != WaitingOn.EXECUTION) {
            await(plan, WaitingOn.EXECUTION);
            passOn(plan, all);
          }
          return;
        }
        case ClaimPlan.Result.NoAllowance _ -> {
          if (!met.isEmpty() || plan.waitingOn() != WaitingOn.ALLOWANCE) {
            await(plan, WaitingOn.ALLOWANCE);
            passOn(plan, all);
          }
          return;
        }
        case ClaimPlan.Result.Locked(EntityLock lock) -> {
          if (!met.add(lock.entityKey())) {
            passOn(plan, all);
            return;
          }
          locks.await(plan.partition(), lock.entityKey(), plan.id());
          if (plan.waitingOn() != WaitingOn.LOCK) {
            await(plan, WaitingOn.LOCK);
          }
        }
      }
    }
  }

  /**
   * Sets a claimed plan going, or going again.
   *
   * @param unsettled all of its actions, if it was claimed just now, so that none can be settled;
   *     null if they are to be looked at
   */
  public void start(Plan plan, @Nullable List<Action> unsettled) {
    closeActions.completeSkipped(plan);
    if (unsettled == null) {
      finishPlan.advance(plan);
    } else {
      finishPlan.begin(plan, unsettled);
    }
  }

  private void await(Plan plan, WaitingOn waitingOn) {
    store.write(Plans.await(plan, waitingOn, clock.instant().plus(KernelTimes.RECHECK)));
  }

  /**
   * Hands on the turns of a plan that had its own, or cannot use them now: nobody waits behind a
   * plan that waits elsewhere.
   */
  private void passOn(Plan plan, List<Action> all) {
    Optional<Plan> now = plans.find(plan.partition(), plan.id());
    boolean over = now.isEmpty() || !now.get().open(clock.instant());
    for (String entity : Action.entities(all)) {
      if (over) {
        locks.forget(plan.partition(), entity, plan.id());
      }
      if (locks.held(plan.partition(), entity).isEmpty()) {
        finishPlan.wakeNext(plan.partition(), entity, plan.id());
      }
    }
  }

  private List<Action> allActions(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }
}
