package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Plan that waits for a lock, with the names of the state that its claim depends on, so that one
 * request reads all of it. The names never change.
 */
record Waiter(PlanId plan, OperatorId operator, List<ActionId> actions) {
  private static final String OPERATOR = "operator";
  private static final String ACTIONS = "actions";

  Waiter {
    actions = List.copyOf(actions);
  }

  static Waiter of(Plan plan) {
    return new Waiter(plan.id(), plan.terms().operatorId(), plan.terms().actionIds());
  }

  static Waiter read(PlanId plan, Item item) {
    return new Waiter(
        plan,
        new OperatorId(item.text(OPERATOR)),
        Arrays.stream(item.text(ACTIONS).split(" ")).map(ActionId::new).toList());
  }

  Item at(Key key) {
    return Item.at(key)
        .with(OPERATOR, operator.value())
        .with(ACTIONS, actions.stream().map(ActionId::value).collect(Collectors.joining(" ")))
        .build();
  }

  /**
   * Returns the keys that its claim reads, besides the plan and the state that applies to all
   * plans.
   */
  List<Key> keys(Partition partition) {
    List<Key> keys = new ArrayList<>();
    actions.forEach(action -> keys.add(Actions.key(partition, action)));
    keys.add(Operators.key(partition, operator));
    return keys;
  }

  /** Returns its actions from the items read under its {@link #keys}. */
  List<Action> actionsIn(Partition partition, Map<Key, Item> read) {
    return actions.stream()
        .map(id -> read.get(Actions.key(partition, id)))
        .filter(Objects::nonNull)
        .map(Actions::read)
        .toList();
  }
}
