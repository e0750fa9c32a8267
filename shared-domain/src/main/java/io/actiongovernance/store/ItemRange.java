package io.actiongovernance.store;

/**
 * Where the items of a list are found: a range of keys, to be narrowed and read in stretches.
 * Implementations are thread-safe.
 */
public interface ItemRange {
  /** All of it, least range key first, to be narrowed. */
  Query whole();

  /** What a query made of {@link #whole()} finds. */
  Slice query(Query query);
}
