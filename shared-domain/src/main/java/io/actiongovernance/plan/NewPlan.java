package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.EntityKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plan that is to be stored, with all that is stored along with it.
 *
 * @param plan as proposed
 * @param once what there is to be at most one plan of, or null; if the plan has an event, it is of
 *     that event
 * @param exchange with the model that proposed it, kept for audit; null where there was none
 */
public record NewPlan(
    Plan plan, List<Action> actions, @Nullable String once, @Nullable ModelExchange exchange) {
  public NewPlan {
    actions = List.copyOf(actions);
  }

  /** The same, to be stored as one that waits for this. */
  public NewPlan waitingOn(WaitingOn waitingOn) {
    return new NewPlan(plan.waitingOn(waitingOn), actions, once, exchange);
  }

  /** The entities that its actions are about. */
  public Set<EntityKey> entities() {
    return Action.entities(actions);
  }
}
