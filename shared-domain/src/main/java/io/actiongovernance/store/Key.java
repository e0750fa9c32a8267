package io.actiongovernance.store;

import static java.util.Objects.requireNonNull;

/** Key of an item: its table, its partition, and its place in the partition's order. */
public record Key(Table table, String partition, String range) {
  public Key {
    requireNonNull(table);
    if (partition.isEmpty() || range.isEmpty()) {
      throw new IllegalArgumentException("Key parts are not empty: " + partition + " / " + range);
    }
  }

  public static Key single(Table table, String partition) {
    return new Key(table, partition, "-");
  }
}
