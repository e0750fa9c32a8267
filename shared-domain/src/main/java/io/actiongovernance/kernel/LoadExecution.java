package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.MDC;

/** Reads an action with everything that its execution depends on. Thread-safe. */
public final class LoadExecution {
  private final Store store;
  private final Operators operators;
  private final Connectors connectors;
  private final InstantSource clock;

  public LoadExecution(
      Store store, Operators operators, Connectors connectors, InstantSource clock) {
    this.store = store;
    this.operators = operators;
    this.connectors = connectors;
    this.clock = clock;
  }

  /**
   * Loads an action in one request. Empty if nothing permits the action, for example because its
   * plan was never finished.
   */
  Optional<LoadedExecution> load(Dispatch dispatch) {
    Partition partition = dispatch.partition();
    Key actionKey = Actions.key(partition, dispatch.action());
    Key planKey = Plans.key(partition, dispatch.plan());
    Key operatorKey = Operators.key(partition, dispatch.operator());
    Key connectorKey = Connectors.key(partition, dispatch.connector());
    Key lockKey = EntityLocks.lockKey(partition, dispatch.line());
    Map<Key, Item> items =
        store.getByKey(List.of(actionKey, planKey, operatorKey, connectorKey, lockKey));
    Optional<Action> found = Optional.ofNullable(items.get(actionKey)).map(Actions::read);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Action action = found.get();
    if (!dispatch.fits(action)) {
      // The action has changed since it was sent, which the service itself never causes.
      return load(Dispatch.of(action));
    }
    MDC.put("plan_id", action.terms().planId().value());
    MDC.put("correlation_id", action.terms().correlationId().value());
    Optional<EntityLock> lock = Optional.ofNullable(items.get(lockKey)).map(EntityLock::read);
    return permitted(action, Optional.ofNullable(items.get(planKey)))
        .map(
            execution ->
                new LoadedExecution(
                    lock.map(taken -> execution.under(taken, clock.instant())).orElse(execution),
                    Optional.ofNullable(items.get(operatorKey)).map(operators::read),
                    Optional.ofNullable(items.get(connectorKey)).map(connectors::read),
                    lock));
  }

  private static Optional<Execution> permitted(Action action, Optional<Item> plan) {
    return action.terms().undoesAtOnce()
        ? Optional.of(new Execution(action, Optional.empty()))
        : plan.map(Plans::read)
            .filter(read -> read.selected().contains(action.id()))
            .map(read -> new Execution(action, Optional.of(read)));
  }
}
