package io.actiongovernance.kernel;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.plan.Plan;
import java.time.InstantSource;
import java.util.Set;

/** Recognizes plans that have been executing for too long. Thread-safe. */
public final class StuckPlans {
  private final Actions actions;
  private final HaltRegister halts;
  private final InstantSource clock;

  public StuckPlans(Actions actions, HaltRegister halts, InstantSource clock) {
    this.actions = actions;
    this.halts = halts;
    this.clock = clock;
  }

  /**
   * Returns whether a plan has been executing for longer than {@link KernelTimes#STUCK} and no halt
   * stops it.
   */
  boolean isStuck(Plan plan) {
    Plan.Claim claim = plan.claim();
    return plan.state() == Plan.State.EXECUTING
        && claim != null
        && claim.claimedAt().plus(KernelTimes.STUCK).isBefore(clock.instant())
        && !halted(plan);
  }

  /** Returns whether a halt keeps an action of the plan from being executed. */
  private boolean halted(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected()).stream()
        .filter(action -> !action.settled())
        .map(Action::terms)
        .anyMatch(
            terms ->
                halts
                    .covering(plan.partition(), terms.operatorId(), Set.of(terms.connector()))
                    .isPresent());
  }
}
