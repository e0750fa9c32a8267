package io.actiongovernance.plan;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Objects;

/**
 * Feedback for an operator about its vetoed plans over the same entity: who vetoed, why, and which
 * actions (specification, States; contract, section 4). Thread-safe.
 */
public final class Vetoes {
  /** Maximum number of vetoes returned, newest first. */
  public static final int MOST = 10;

  private final Store store;

  public Vetoes(Store store) {
    this.store = store;
  }

  /** Stores a veto for each entity that the plan touched. Repeating it changes nothing. */
  void remember(Plan plan, List<Action> actions) {
    Plan.Ending ending = Objects.requireNonNull(plan.ending());
    PastVeto veto =
        new PastVeto(
            plan.id(),
            Objects.requireNonNull(ending.vetoedBy()),
            Objects.requireNonNull(ending.reason()),
            Objects.requireNonNull(plan.disposedAt()),
            actions.stream().map(Vetoes::told).toList());
    for (EntityKey entity : Action.entities(actions)) {
      String partition = partition(plan.partition(), plan.terms().operatorId(), entity.value());
      store.write(
          Write.put(
              Item.at(new Key(Table.STATE, partition, plan.id().value()))
                  .with("doc", Json.write(veto))
                  .build(),
              Condition.always()));
    }
  }

  /** Returns the operator's vetoed plans over the entity, newest first. */
  public List<PastVeto> over(Partition partition, OperatorId operator, String entity) {
    Query query =
        Query.of(Table.STATE, partition(partition, operator, entity)).newestFirst().limit(MOST);
    return store.query(query).items().stream()
        .map(item -> Json.read(item.text("doc"), PastVeto.class))
        .toList();
  }

  private static PastVeto.VetoedAction told(Action action) {
    return new PastVeto.VetoedAction(
        action.terms().connector().value(),
        action.terms().tool(),
        action.terms().args(),
        action.terms().entityKey());
  }

  private static String partition(Partition partition, OperatorId operator, String entity) {
    return partition.key("veto#" + operator + "#" + entity);
  }
}
