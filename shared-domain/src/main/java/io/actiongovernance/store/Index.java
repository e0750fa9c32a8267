package io.actiongovernance.store;

/**
 * A sparse index over the items that have the hash attribute, in the order of the range attribute.
 *
 * @param whole whether it holds whole items. Otherwise it holds only their keys: a change of any
 *     other attribute costs the index nothing, and items are read from the table
 */
public record Index(String hash, String range, boolean whole) {
  /** Returns an index of items that are large or change. */
  static Index by(String hash, String range) {
    return new Index(hash, range, false);
  }

  /** Returns an index of small items that never change. */
  static Index holding(String hash, String range) {
    return new Index(hash, range, true);
  }
}
