package io.actiongovernance.tally;

import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Has all items of a tally go by a bound, or by none where one of them holds more than its share of
 * it, or there is no bound: then each reservation looks at them all.
 */
public record Rebalance(Tally tally, @Nullable Bound bound) {
  /** The writes that this takes, as the items are now; none if they do. */
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
