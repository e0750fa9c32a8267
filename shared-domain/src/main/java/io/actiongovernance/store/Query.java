package io.actiongovernance.store;

import org.jspecify.annotations.Nullable;

/**
 * A range of one partition, of the base table or of an index.
 *
 * @param index the index, or null for the base table
 * @param from lowest range key, inclusive; null for no bound
 * @param below upper bound, exclusive; null for no bound
 * @param descending highest range key first
 * @param limit maximum number of items
 */
public record Query(
    Table table,
    @Nullable Index index,
    String partition,
    @Nullable String from,
    @Nullable String below,
    boolean descending,
    int limit) {
  public Query {
    if (limit < 1) {
      throw new IllegalArgumentException("limit is at least 1");
    }
  }

  /** Queries a partition of the base table, lowest range key first. */
  public static Query of(Table table, String partition) {
    return new Query(table, null, partition, null, null, false, 100);
  }

  /** Queries a partition of an index, lowest range key first. */
  public static Query of(Table table, String indexHash, String partition) {
    return new Query(table, table.index(indexHash), partition, null, null, false, 100);
  }

  public Query in(String otherPartition) {
    return new Query(table, index, otherPartition, from, below, descending, limit);
  }

  /** Returns the range key of an item in the order in which items are read. */
  public String rangeOf(Item item) {
    return index == null || !item.has(index.range())
        ? item.key().range()
        : item.text(index.range());
  }

  public boolean holds(String range) {
    return (from == null || range.compareTo(from) >= 0)
        && (below == null || range.compareTo(below) < 0);
  }

  public Query from(@Nullable String bound) {
    return new Query(table, index, partition, bound, below, descending, limit);
  }

  public Query below(@Nullable String bound) {
    return new Query(table, index, partition, from, bound, descending, limit);
  }

  public Query newestFirst() {
    return new Query(table, index, partition, from, below, true, limit);
  }

  public Query limit(int most) {
    return new Query(table, index, partition, from, below, descending, most);
  }
}
