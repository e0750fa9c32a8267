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

/** Stored plans with their actions. Thread-safe. */
public record PlannedActions(Plans plans, Actions actions) {
  public Optional<Plan> planOf(Action action) {
    return plans.find(action.partition(), action.terms().planId());
  }

  /** Returns the actions that a plan was proposed with; empty if the plan does not exist. */
  public List<ActionId> actionIds(Partition partition, PlanId plan) {
    return plans.find(partition, plan).map(found -> found.terms().actionIds()).orElse(List.of());
  }

  public List<Action> allOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }

  public List<Action> selectedOf(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected());
  }

  /** Returns the trace position of the plan of these actions; null if the plan is in no trace. */
  public static @Nullable TraceParent trace(List<Action> actions) {
    TraceParent parent = actions.isEmpty() ? null : actions.getFirst().terms().trace();
    return parent == null
        ? null
        : parent.child(SpanKind.INVOKE_PLAN.spanId(actions.getFirst().id()));
  }
}
