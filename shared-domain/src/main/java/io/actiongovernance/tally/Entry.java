package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes of a transaction to the items of a tally. They are first prepared without reading the
 * items, and prepared again if the items turn out to be different. For one attempt; not
 * thread-safe.
 */
public sealed interface Entry permits ReservationEntry, Moving, Adding, GivingBack {
  /**
   * Prepares the next writes.
   *
   * @return false if there is no room
   */
  boolean prepare();

  List<Write> writes();

  /**
   * Records that nothing was written.
   *
   * @param refused the items that refused its writes, by their positions; empty if another
   *     transaction was in progress
   */
  void refused(Map<Integer, Optional<Item>> refused);
}
