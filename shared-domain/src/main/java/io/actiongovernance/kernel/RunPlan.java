package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Advances a plan from the point at which it has stopped. Every request to look at a plan again
 * comes here. It can be called at any time, any number of times. Thread-safe.
 */
public final class RunPlan {
  private final Store store;
  private final PlannedActions planned;
  private final RunUnheldPlan runUnheldPlan;
  private final ExpirePlan expirePlan;
  private final CloseActions closeActions;
  private final FinishPlan finishPlan;

  public RunPlan(
      Store store,
      PlannedActions planned,
      RunUnheldPlan runUnheldPlan,
      ExpirePlan expirePlan,
      CloseActions closeActions,
      FinishPlan finishPlan) {
    this.store = store;
    this.planned = planned;
    this.runUnheldPlan = runUnheldPlan;
    this.expirePlan = expirePlan;
    this.closeActions = closeActions;
    this.finishPlan = finishPlan;
  }

  /** Does everything that can be done for the plan now. */
  public void resume(Partition partition, PlanId id) {
    resume(partition, id, List.of());
  }

  /** Does everything that can be done now for a plan that waits for a lock. */
  void resume(Partition partition, Waiter waiter) {
    resume(partition, waiter.plan(), waiter.keys(partition));
  }

  /**
   * Resumes the plan.
   *
   * @param along keys to read together with the plan
   */
  private void resume(Partition partition, PlanId id, List<Key> along) {
    Key key = Plans.key(partition, id);
    List<Key> keys = new ArrayList<>(ClaimPlan.TenantState.keys(partition));
    keys.add(key);
    keys.addAll(along);
    Map<Key, Item> items = store.getByKey(keys);
    ClaimPlan.TenantState tenantState = ClaimPlan.TenantState.read(partition, items);
    Optional.ofNullable(items.get(key))
        .map(item -> planned.plans().read(item, tenantState.halts()))
        .ifPresent(plan -> resume(plan, tenantState, items));
  }

  private void resume(Plan plan, ClaimPlan.TenantState tenantState, Map<Key, Item> read) {
    switch (plan.state()) {
      case PROPOSED -> {
        if (expirePlan.isOverdue(plan)) {
          expirePlan.record(plan);
          leave(plan);
        } else if (!plan.terms().held()) {
          runUnheldPlan.run(plan, tenantState, read);
        }
      }
      case EXECUTING -> finishPlan.start(plan, null);
      case VETOED, EXPIRED -> {
        closeActions.complete(plan);
        leave(plan);
      }
      case EXECUTED -> leave(plan);
    }
  }

  private void leave(Plan plan) {
    runUnheldPlan.leave(plan, planned.allOf(plan));
  }
}
