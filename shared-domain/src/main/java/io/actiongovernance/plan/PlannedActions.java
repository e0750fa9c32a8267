package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import java.util.List;
import java.util.Optional;

/** The stored plans with their actions, for whoever goes from one to the other. Thread-safe. */
public record PlannedActions(Plans plans, Actions actions) {
  /** The plan that an action is of. */
  public Optional<Plan> planOf(Action action) {
    return plans.find(action.partition(), action.terms().planId());
  }

  /** All actions of a plan. */
  public List<Action> allOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }

  /** Those of its actions that are to run. */
  public List<Action> selectedOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected());
  }
}
