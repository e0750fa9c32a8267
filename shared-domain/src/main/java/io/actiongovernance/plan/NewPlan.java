package io.actiongovernance.plan;

import io.actiongovernance.action.Action;
import io.actiongovernance.id.EntityKey;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plan to store, with everything that is stored with it.
 *
 * @param plan as proposed
 * @param once key that at most one plan may have, within its event if it has one; or null
 * @param exchange the exchange with the model that proposed it, kept for audit; null if none
 */
public record NewPlan(
    Plan plan, List<Action> actions, @Nullable String once, @Nullable ModelExchange exchange) {
  public NewPlan {
    actions = List.copyOf(actions);
  }

  public NewPlan waitingOn(WaitingOn waitingOn) {
    return new NewPlan(plan.waitingOn(waitingOn), actions, once, exchange);
  }

  public Set<EntityKey> entities() {
    return Action.entities(actions);
  }
}
