package io.actiongovernance.store;

import static java.util.Objects.requireNonNull;

/** Where an item is: its table, its partition, and its place in the partition's order. */
public record Key(Table table, String partition, String range) {
  public Key {
    requireNonNull(table);
    if (partition.isEmpty() || range.isEmpty()) {
      throw new IllegalArgumentException("Key parts are not empty: " + partition + " / " + range);
    }
  }

  /** The key of an item that is alone in its partition. */
  public static Key single(Table table, String partition) {
    return new Key(table, partition, "-");
  }
}
