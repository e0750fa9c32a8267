package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Has all items of a tally go by a bound, or by none where one of them holds more than its share of
 * it, or there is no bound: then each reservation looks at them all.
 */
public record Realigning(Tally tally, @Nullable Bound bound) {
  /** The writes that this takes, as the items are now; none if they do. */
  public List<Write> writes(int spread, Transactions transactions) {
    List<Key> keys = tally.items(spread);
    Map<Key, Item> items = transactions.snapshot(keys);
    List<Count> counts =
        keys.stream().map(key -> Count.of(key, Optional.ofNullable(items.get(key)))).toList();
    Bound wanted = shared(counts) ? bound : null;
    List<Write> writes = new ArrayList<>();
    for (Count count : counts) {
      if (count.version() > 0 && !count.isMarked(wanted, spread)) {
        writes.add(count.marked(wanted, spread).write(tally.forgetting()));
      }
    }
    return writes;
  }

  private boolean shared(List<Count> counts) {
    if (bound == null) {
      return false;
    }
    boolean shared = true;
    for (int number = 0; number < counts.size(); number++) {
      Amount total = tally.now(counts.get(number)).total();
      shared = shared && bound.share(number, counts.size()).admits(total);
    }
    return shared;
  }
}
