package io.actiongovernance.store;

/**
 * A range of keys that holds the items of a list; callers narrow it and read it in stretches.
 * Implementations are thread-safe.
 */
public interface ItemRange {
  /** Returns a query of the whole range, least range key first. */
  Query whole();

  /** Runs a query made from {@link #whole()}. */
  Slice query(Query query);
}
