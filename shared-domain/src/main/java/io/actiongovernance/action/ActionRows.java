package io.actiongovernance.action;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.Optional;

/** The rows of actions, for who keeps them elsewhere. Stateless. */
public final class ActionRows {
  private ActionRows() {}

  /** Whether it is an action that has the key. */
  public static boolean isAction(Partition partition, Key key) {
    return key.table() == Table.STATE
        && key.partition().startsWith(partition.key(Actions.PART + ActionId.PREFIX));
  }

  /** How the actions of a list were disposed of, and the shard that they stand in. */
  public record Disposed(Disposition disposition, int shard) {}

  /** What all actions of a query have in common that lists them by their disposals, if it does. */
  public static Optional<Disposed> disposed(Partition partition, Query query) {
    if (!isOver(query, "by_status")) {
      return Optional.empty();
    }
    return Arrays.stream(Disposition.values())
        .flatMap(
            one ->
                after(query.partition(), Actions.byDisposition(partition, one) + "#")
                    .map(shard -> new Disposed(one, Integer.parseInt(shard)))
                    .stream())
        .findFirst();
  }

  /** The plan of a query for what was done at once to undo its actions, if it is one. */
  public static Optional<PlanId> undone(Partition partition, Query query) {
    return isOver(query, "by_parent")
        ? after(query.partition(), partition.key(Actions.UNDOS)).flatMap(PlanId::parse)
        : Optional.empty();
  }

  private static boolean isOver(Query query, String hash) {
    Index index = query.index();
    return query.table() == Table.STATE && index != null && index.hash().equals(hash);
  }

  private static Optional<String> after(String key, String beginning) {
    return key.startsWith(beginning)
        ? Optional.of(key.substring(beginning.length()))
        : Optional.empty();
  }
}
