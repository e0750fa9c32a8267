package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.SpanKind;
import io.actiongovernance.id.TraceParent;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The stored plans with their actions, for whoever goes from one to the other. Thread-safe. */
public record PlannedActions(Plans plans, Actions actions) {
  /** The plan that an action is of. */
  public Optional<Plan> planOf(Action action) {
    return plans.find(action.partition(), action.terms().planId());
  }

  /** The actions that a plan was proposed with; none if there is no such plan. */
  public List<ActionId> actionIds(Partition partition, PlanId plan) {
    return plans.find(partition, plan).map(found -> found.terms().actionIds()).orElse(List.of());
  }

  /** All actions of a plan. */
  public List<Action> allOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }

  /** Those of its actions that are to run. */
  public List<Action> selectedOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected());
  }

  /** Where the trace stands in the plan of these actions as a whole, if it is in one. */
  public static @Nullable TraceParent trace(List<Action> actions) {
    TraceParent parent = actions.isEmpty() ? null : actions.getFirst().terms().trace();
    return parent == null
        ? null
        : parent.child(SpanKind.INVOKE_PLAN.spanId(actions.getFirst().id()));
  }
}
