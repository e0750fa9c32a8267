package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads tallies. Thread-safe. */
public final class Tallies {
  private final Store store;

  public Tallies(Store store) {
    this.store = store;
  }

  /**
   * Returns all current items of each tally. They are read consistently, but not as one snapshot.
   */
  public Map<Tally, List<Count>> counts(List<Tally> tallies) {
    Map<Key, Item> items = items(tallies.stream().map(tally -> tally.item(0)).toList());
    List<Key> others = new ArrayList<>();
    for (Tally tally : tallies) {
      List<Key> all = tally.items(count(tally, 0, items).spread());
      others.addAll(all.subList(1, all.size()));
    }
    items.putAll(items(others));
    Map<Tally, List<Count>> counts = new HashMap<>();
    for (Tally tally : tallies) {
      List<Count> all = new ArrayList<>();
      for (int number = 0; number < count(tally, 0, items).spread(); number++) {
        all.add(tally.now(count(tally, number, items)));
      }
      counts.put(tally, all);
    }
    return counts;
  }

  /** Returns the items of a tally as they are now, if it is spread over at most this many. */
  public List<Count> counts(Tally tally, int most) {
    Map<Key, Item> items = items(tally.items(most));
    List<Count> counts = new ArrayList<>();
    for (int number = 0; number < most; number++) {
      counts.add(tally.now(count(tally, number, items)));
    }
    return counts;
  }

  private Map<Key, Item> items(List<Key> keys) {
    return keys.isEmpty() ? new HashMap<>() : new HashMap<>(store.getByKey(keys));
  }

  private static Count count(Tally tally, int number, Map<Key, Item> items) {
    Key key = tally.item(number);
    return Count.of(key, Optional.ofNullable(items.get(key)));
  }
}
