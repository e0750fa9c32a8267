package io.actiongovernance.tally;

import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes all items of a tally use a bound. They use none if one of them holds more than its share,
 * or if there is no bound. Each reservation then reads all items.
 */
public record Rebalance(Tally tally, @Nullable Bound bound) {
  /** Returns the writes that are needed for the items as they are now; empty if they comply. */
  public List<Write> writes(int spread, Transactions transactions) {
    List<Count> counts = tally.snapshot(spread, transactions);
    boolean shared = bound != null && bound.admitsEach(counts.stream().map(tally::now).toList());
    Bound wanted = shared ? bound : null;
    List<Write> writes = new ArrayList<>();
    for (Count count : counts) {
      if (count.version() > 0 && !count.isMarked(wanted, spread)) {
        writes.add(count.marked(wanted, spread).write(tally.decay()));
      }
    }
    return writes;
  }
}
