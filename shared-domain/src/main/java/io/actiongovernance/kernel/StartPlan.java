package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.event.EventPlans.Earlier;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a new plan, records the entities that it touches in its event's log, and starts the plan
 * unless it is held. A plan that needs no approval is stored as claimed, with its touches and
 * locks, in one transaction. If it finds a lock taken, it is stored as waiting, also in one
 * transaction. Any other obstacle is handled step by step. Thread-safe.
 */
public final class StartPlan {
  private final PlannedActions planned;
  private final CreatePlan createPlan;
  private final ClaimPlan claimPlan;
  private final RunUnheldPlan runUnheldPlan;
  private final FinishPlan finishPlan;
  private final EventLog eventLog;

  public StartPlan(
      PlannedActions planned,
      CreatePlan createPlan,
      ClaimPlan claimPlan,
      RunUnheldPlan runUnheldPlan,
      FinishPlan finishPlan,
      EventLog eventLog) {
    this.planned = planned;
    this.createPlan = createPlan;
    this.claimPlan = claimPlan;
    this.runUnheldPlan = runUnheldPlan;
    this.finishPlan = finishPlan;
    this.eventLog = eventLog;
  }

  /**
   * Starts the plan.
   *
   * @param event the plan's event; null if it has none
   * @param operator the plan's operator, read for this proposal
   * @param tenantState the tenant's state, if it was also read for this proposal
   * @return the plan as proposed, or the plan stored before under the same {@link NewPlan#once};
   *     empty if that proposal was refused before
   */
  public Optional<Plan> start(
      NewPlan made,
      @Nullable Event event,
      Operator operator,
      ClaimPlan.@Nullable TenantState tenantState) {
    List<EventLog.Touch> touches =
        event == null ? List.of() : eventLog.touch(event, made.entities());
    if (made.plan().terms().held()) {
      if (createPlan.createWith(made, touches, List.of(), CreatePlan.due(made.plan()))) {
        touches.forEach(eventLog::noted);
        return Optional.of(made.plan());
      }
      return store(made, event, touches);
    }
    Optional<ClaimPlan.Result> first = claimPlan.claimNew(made, operator, tenantState, touches);
    switch (first.orElse(null)) {
      case ClaimPlan.Result.Claimed claimed -> {
        touches.forEach(eventLog::noted);
        runUnheldPlan.run(made.plan(), made.actions(), claimed);
        return Optional.of(made.plan());
      }
      case ClaimPlan.Result.Locked(EntityLock lock) -> {
        NewPlan waiting = made.waitingOn(WaitingOn.LOCK);
        List<Write> along = List.of(LockWaiters.awaiting(lock, made.plan()));
        if (createPlan.createWith(waiting, touches, along, due(waiting.plan()))) {
          touches.forEach(eventLog::noted);
          runUnheldPlan.runWaiting(waiting.plan(), made.actions(), lock);
          return Optional.of(waiting.plan());
        }
      }
      case null, default -> {}
    }
    Optional<Plan> stored = store(made, event, touches);
    if (stored.filter(made.plan()::equals).isPresent()) {
      first.ifPresentOrElse(
          result -> runUnheldPlan.run(made.plan(), made.actions(), result),
          () -> runUnheldPlan.run(made.plan(), made.actions()));
    }
    return stored;
  }

  /** Reads the state that the claim of a new plan depends on, before the plan is made. */
  public ClaimPlan.TenantState tenantState(Partition partition) {
    return claimPlan.tenantState(partition);
  }

  /**
   * Reads the state that the claim of a new plan depends on, with its operator; empty if the
   * operator does not exist.
   */
  public Optional<ClaimPlan.Basics> begin(Partition partition, OperatorId operator) {
    return claimPlan.begin(partition, operator);
  }

  /** Returns whether an operator already has the maximum number of held plans. */
  public boolean heldUp(Operator operator) {
    return planned.plans().heldUp(operator.partition(), operator.id());
  }

  private static Instant due(Plan plan) {
    return KernelTimes.recheck(plan, plan.terms().proposedAt());
  }

  private Optional<Plan> store(NewPlan made, @Nullable Event event, List<EventLog.Touch> touches) {
    Optional<Plan> stored = createPlan.create(made);
    touches.forEach(eventLog::link);
    stored.filter(there -> !there.equals(made.plan())).ifPresent(there -> goOn(there, event));
    return stored;
  }

  /**
   * Returns whether a plan with this key already exists or was refused. An existing plan is
   * resumed.
   *
   * @param once key that at most one plan may have, within the event if one is given
   */
  public boolean startedBefore(Partition partition, @Nullable Event event, @Nullable String once) {
    Optional<Earlier> earlier = createPlan.earlier(partition, event, once);
    earlier.map(Earlier::planId).ifPresent(planId -> goOn(partition, planId, event));
    return earlier.isPresent();
  }

  /** Resumes a plan, if it is stored, and returns it. */
  public Optional<Plan> goOn(Partition partition, PlanId planId, @Nullable Event event) {
    Optional<Plan> stored = planned.plans().find(partition, planId);
    stored.ifPresent(plan -> goOn(plan, event));
    return stored;
  }

  /**
   * Finishes the steps of a stored plan that a crash may have left undone. Repeating it changes
   * nothing.
   */
  private void goOn(Plan plan, @Nullable Event event) {
    List<Action> actions = planned.allOf(plan);
    if (event != null) {
      eventLog.link(event, Action.entities(actions));
    }
    if (plan.state() == Plan.State.EXECUTING) {
      finishPlan.start(plan, null);
    } else if (plan.state() == Plan.State.PROPOSED && !plan.terms().held()) {
      runUnheldPlan.run(plan, actions);
    }
  }
}
