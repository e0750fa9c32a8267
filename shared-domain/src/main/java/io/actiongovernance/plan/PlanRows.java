package io.actiongovernance.plan;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Listed;
import io.actiongovernance.store.Merged;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The rows of plans, for who keeps them elsewhere. Stateless. */
public final class PlanRows {
  private static final int AT_ONCE = 500;
  private static final String ENTITY = "#plan-entity#";

  private PlanRows() {}

  /** Plans whose identifiers were made in this time, by their identifiers, read consistently. */
  public static Stream<Item> made(Store store, Partition partition, Instant from, Instant until) {
    Merged all =
        Merged.of(
            store,
            Table.STATE,
            Allowance.spread(store, partition).keys(partition.key(Plans.PLANS)));
    return all.all(
        all.whole()
            .from(PlanId.PREFIX + Ids.floor(from))
            .below(PlanId.PREFIX + Ids.floor(until))
            .limit(AT_ONCE));
  }

  /**
   * Where there may be a row beside a plan's own: its exchange with a model and its entities.
   *
   * @param entities of its actions
   */
  public static List<Key> beside(Plan plan, Collection<String> entities) {
    List<Key> keys = new ArrayList<>();
    keys.add(KeptExchanges.key(plan.partition(), plan.id()));
    new TreeSet<>(entities).forEach(entity -> keys.add(Plans.entityRow(plan, entity)));
    return keys;
  }

  /** Whether it is a plan's own row that has the key. */
  public static boolean isPlan(Key key) {
    String[] parts = key.partition().split("#", -1);
    return key.table() == Table.STATE && parts.length == 4 && parts[2].equals(Plans.PLANS);
  }

  /** The entity of the row that lists a plan by it, if it is such a one that has the key. */
  public static Optional<String> entityOf(Key key) {
    int at = key.partition().indexOf(ENTITY);
    return at < 0 ? Optional.empty() : Optional.of(key.partition().substring(at + ENTITY.length()));
  }

  /** Whether it is a plan's own row, or one that lists it by an entity, or its exchange. */
  public static boolean isOfPlan(Partition partition, Key key) {
    return key.table() == Table.STATE
        && Stream.of(
                partition.key(Plans.PLANS + "#"),
                Plans.byEntity(partition, ""),
                partition.key(KeptExchanges.PART))
            .anyMatch(key.partition()::startsWith);
  }

  /**
   * What all plans of a query have in common that have ended; empty of a query that finds no such
   * plans. All that it finds are in the order of their identifiers.
   */
  public static Optional<Listed> listed(Partition partition, Query query) {
    if (query.table() != Table.STATE) {
      return Optional.empty();
    }
    String key = query.partition();
    Index index = query.index();
    return switch (index == null ? "" : index.hash()) {
      case "" ->
          key.startsWith(partition.key(Plans.PLANS + "#"))
              ? Optional.of(Listed.ALL)
              : after(key, Plans.byEntity(partition, "")).map(of -> new Listed("entity_key", of));
      case "by_operator" ->
          after(key, Plans.byOperator(partition, "")).map(of -> new Listed("operator_id", of));
      case "by_status" ->
          Arrays.stream(PlanStatus.values())
              .filter(status -> status != PlanStatus.PROPOSED)
              .filter(status -> key.startsWith(Plans.byStatus(partition, status) + "#"))
              .map(status -> new Listed("status", status.wire()))
              .findFirst();
      default -> Optional.empty();
    };
  }

  private static Optional<String> after(String key, String beginning) {
    return key.startsWith(beginning)
        ? Optional.of(key.substring(beginning.length()))
        : Optional.empty();
  }
}
