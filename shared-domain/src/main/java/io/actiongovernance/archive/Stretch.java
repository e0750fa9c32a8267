package io.actiongovernance.archive;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Table;
import java.time.LocalDate;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * As far as the archive is asked for one query.
 *
 * @param days to be asked, in the order of the query
 * @param end the range key up to which all that the tables have of the query is known; null for all
 * @param upTo as {@link Slice#upTo()}
 */
record Stretch(List<LocalDate> days, @Nullable String end, @Nullable String upTo) {
  /** Nothing of it. */
  static final Stretch NONE = new Stretch(List.of(), null, null);

  /** The query as far as that. */
  Query bounded(Query query) {
    if (end == null) {
      return query;
    }
    return query.descending() ? query.from(end) : query.below(end + "$");
  }

  /**
   * What the query finds in table and archive.
   *
   * @param archived in its bounds, one more than it asks for if there are as many
   * @param newest the rows of these keys that are in their table
   */
  Slice merged(
      Query query, Slice inTable, List<Item> archived, Function<List<Key>, Map<Key, Item>> newest) {
    Comparator<String> order = NewestRows.order(query);
    Query bounded = bounded(query);
    Map<Key, Item> all = new HashMap<>();
    archived.stream()
        .filter(row -> bounded.holds(query.rangeOf(row)))
        .forEach(row -> all.put(row.key(), row));
    inTable.items().stream()
        .filter(row -> end == null || order.compare(query.rangeOf(row), end) <= 0)
        .forEach(row -> all.put(row.key(), row));
    List<Item> sorted =
        all.values().stream().sorted(Comparator.comparing(query::rangeOf, order)).toList();
    boolean cut = sorted.size() > query.limit();
    List<Item> rows = newest(cut ? sorted.subList(0, query.limit()) : sorted, archived, newest);
    return cut ? new Slice(rows, true) : new Slice(rows, upTo != null || inTable.more(), upTo);
  }

  /** With the table's rows in the place of those that its index did not have yet. */
  private static List<Item> newest(
      List<Item> rows, List<Item> archived, Function<List<Key>, Map<Key, Item>> newest) {
    Set<Item> old = Collections.newSetFromMap(new IdentityHashMap<>());
    old.addAll(archived);
    List<Key> keys =
        rows.stream()
            .filter(row -> old.contains(row) && row.key().table() != Table.RECEIPTS)
            .map(Item::key)
            .toList();
    if (keys.isEmpty()) {
      return rows;
    }
    Map<Key, Item> inTable = newest.apply(keys);
    return rows.stream().map(row -> inTable.getOrDefault(row.key(), row)).toList();
  }
}
