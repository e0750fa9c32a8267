package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a transaction writes to the items of a tally. It is written without a look at them; where
 * they turn out to be other than that takes, it is written otherwise. One attempt's; not
 * thread-safe.
 */
public sealed interface Entry permits ReservationEntry, Moving, Adding, GivingBack {
  /**
   * Settles what to write next.
   *
   * @return false if there is no room for it
   */
  boolean prepare();

  /** What to write, as prepared. */
  List<Write> writes();

  /**
   * Takes note that nothing was written.
   *
   * @param refused the items that its writes met, by their positions; none if another transaction
   *     was under way
   */
  void refused(Map<Integer, Optional<Item>> refused);
}
