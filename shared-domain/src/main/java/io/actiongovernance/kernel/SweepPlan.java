package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** Repeats the overdue step of a plan. Thread-safe. */
public final class SweepPlan {
  private final Store store;
  private final PlannedActions planned;
  private final ExecuteAction executeAction;
  private final PlanExpiry planExpiry;
  private final RunPlan runPlan;
  private final InstantSource clock;

  public SweepPlan(
      Store store,
      PlannedActions planned,
      ExecuteAction executeAction,
      PlanExpiry planExpiry,
      RunPlan runPlan,
      InstantSource clock) {
    this.store = store;
    this.planned = planned;
    this.executeAction = executeAction;
    this.planExpiry = planExpiry;
    this.runPlan = runPlan;
    this.clock = clock;
  }

  /** Advances the plan, if it exists; returns it as it was found. */
  Optional<Plan> moveOn(Partition partition, PlanId id) {
    Optional<Plan> found = planned.plans().find(partition, id);
    found.ifPresent(this::moveOn);
    return found;
  }

  private void moveOn(Plan plan) {
    if (plan.state() == Plan.State.EXECUTING) {
      // Executing a disposed action again completes the steps that a crash may have left undone.
      planned.selectedOf(plan).stream()
          .filter(Action::settled)
          .toList()
          .forEach(action -> executeAction.execute(Dispatch.of(action)));
    }
    planExpiry.follow(plan);
    store.write(PlanWrites.postpone(plan, next(plan)));
    runPlan.resume(plan.partition(), plan.id());
  }

  private Instant next(Plan plan) {
    Instant now = clock.instant();
    Plan.Claim claim = plan.claim();
    if (plan.state() == Plan.State.EXECUTING && claim != null) {
      return KernelTimes.look(claim.claimedAt(), now);
    }
    boolean waitsForPeople = plan.state() == Plan.State.PROPOSED && plan.terms().held();
    Instant look = plan.nextLook(now);
    return waitsForPeople && look.isAfter(now.plus(KernelTimes.RECHECK))
        ? look
        : KernelTimes.recheck(plan, now);
  }
}
