package io.actiongovernance.store;

/**
 * A sparse index over the items that have the hash attribute, in the order of the range attribute;
 * it holds whole items.
 */
public record Index(String hash, String range) {
  static Index by(String hash, String range) {
    return new Index(hash, range);
  }
}
