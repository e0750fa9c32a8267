package io.actiongovernance.plan;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.outcome.Outcome;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Replaces an open plan. One transaction stores the new plan and vetoes the old one, so that
 * exactly one of them is open (contract for people, section 3). Thread-safe.
 */
public final class SupersedePlan {
  private final Plans plans;
  private final CreatePlan createPlan;
  private final CloseActions closeActions;
  private final InstantSource clock;

  public SupersedePlan(
      Plans plans, CreatePlan createPlan, CloseActions closeActions, InstantSource clock) {
    this.plans = plans;
    this.createPlan = createPlan;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /**
   * Stores the new plan and vetoes the old one.
   *
   * @param made the new plan, whose terms name the old one
   */
  public Outcome<Plan> supersede(Caller caller, Plan old, NewPlan made, String reason) {
    Plan plan = made.plan();
    Instant now = clock.instant();
    Plan.Ending ending =
        new Plan.Ending(
            plan.id().value(),
            caller.name(),
            Decider.by(caller.principal(), null, now),
            reason,
            caller.requestId(),
            closeActions.mint(old),
            false,
            plan.id());
    boolean done = createPlan.createInPlaceOf(made, PlanWrites.veto(old, ending, now));
    Plan stored = plans.find(old.partition(), old.id()).orElseThrow();
    // A refusal means that the old plan is no longer open, or that this request has already
    // replaced it.
    if (!done && !isSuperseded(stored, plan)) {
      return Outcome.refused(PlanRefusals.notOpen(stored, clock.instant()));
    }
    closeActions.complete(stored);
    return Outcome.done(plan);
  }

  /** Finishes the steps that a crash left undone for a replaced plan. */
  public void complete(Plan old) {
    closeActions.complete(old);
  }

  private static boolean isSuperseded(Plan old, Plan by) {
    return old.ending() != null && by.id().equals(old.ending().supersededBy());
  }
}
