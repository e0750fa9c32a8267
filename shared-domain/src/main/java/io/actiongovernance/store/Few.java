package io.actiongovernance.store;

import java.util.Comparator;
import java.util.List;

/**
 * Items of a table whose keys are known, read as a range in the order of their range keys.
 * Thread-safe.
 */
public record Few(Store store, Table table, List<Key> keys) implements ItemRange {
  public Few {
    keys = List.copyOf(keys);
  }

  @Override
  public Query whole() {
    return Query.of(table, "");
  }

  @Override
  public Slice query(Query query) {
    Comparator<Key> order = Comparator.comparing(Key::range);
    List<Key> wanted =
        keys.stream()
            .filter(key -> query.holds(key.range()))
            .sorted(query.descending() ? order.reversed() : order)
            .toList();
    boolean more = wanted.size() > query.limit();
    return new Slice(store.getAll(more ? wanted.subList(0, query.limit()) : wanted), more);
  }
}
