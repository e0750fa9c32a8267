package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.plan.CreatePlan;
import io.actiongovernance.plan.NewPlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Stores a new plan, records in its event's log what it touches, and sets it going unless it is
 * held. A plan that needs no approval is stored as claimed, its touches and locks with it, in one
 * transaction; where something is in the way of that, step by step. Thread-safe.
 */
public final class StartPlan {
  private final CreatePlan createPlan;
  private final ClaimPlan claimPlan;
  private final RunPlan runPlan;
  private final EventLog eventLog;

  public StartPlan(CreatePlan createPlan, ClaimPlan claimPlan, RunPlan runPlan, EventLog eventLog) {
    this.createPlan = createPlan;
    this.claimPlan = claimPlan;
    this.runPlan = runPlan;
    this.eventLog = eventLog;
  }

  /**
   * Starts the plan.
   *
   * @param event the plan's, null if it has none
   * @param operator the plan's, read for this very proposal
   * @param standing if it was read for it too
   * @return the plan as it was proposed, or the one that was there before; empty if what there was
   *     to be one plan of was refused before
   */
  public Optional<Plan> start(
      NewPlan made,
      @Nullable Event event,
      Operator operator,
      ClaimPlan.@Nullable Standing standing) {
    List<EventLog.Touch> touches =
        event == null ? List.of() : eventLog.touch(event, made.entities());
    if (made.plan().terms().held()) {
      return store(made, event, touches);
    }
    List<Write> along = touches.stream().flatMap(touch -> touch.writes().stream()).toList();
    Optional<ClaimPlan.Result> first = claimPlan.claimNew(made, operator, standing, along);
    if (first.orElse(null) instanceof ClaimPlan.Result.Claimed) {
      touches.forEach(eventLog::noted);
      runPlan.run(made.plan(), made.actions(), operator, first.get());
      return Optional.of(made.plan());
    }
    Optional<Plan> stored = store(made, event, touches);
    if (stored.filter(made.plan()::equals).isPresent()) {
      runPlan.run(made.plan(), made.actions(), operator, first.orElse(null));
    }
    return stored;
  }

  private Optional<Plan> store(NewPlan made, @Nullable Event event, List<EventLog.Touch> touches) {
    Optional<Plan> stored = createPlan.create(made);
    touches.forEach(eventLog::link);
    stored.filter(there -> !there.equals(made.plan())).ifPresent(there -> goOn(there, event));
    return stored;
  }

  /** Finishes what a crash may have left of a plan that is stored; done again, changes nothing. */
  public void goOn(Plan plan, @Nullable Event event) {
    List<Action> actions = createPlan.actions(plan);
    if (event != null) {
      eventLog.link(event, Action.entities(actions));
    }
    if (plan.state() == Plan.State.EXECUTING) {
      runPlan.start(plan, null);
    } else if (plan.state() == Plan.State.PROPOSED && !plan.terms().held()) {
      runPlan.run(plan, actions);
    }
  }
}
