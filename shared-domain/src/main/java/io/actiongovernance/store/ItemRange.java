package io.actiongovernance.store;

/**
 * A range of keys that holds the items of a list. Callers narrow it and read it in stretches.
 * Implementations are thread-safe.
 */
public interface ItemRange {
  /** Returns a query of the whole range, lowest range key first. */
  Query whole();

  /** Runs a query that was made from {@link #whole()}. */
  Slice query(Query query);
}
