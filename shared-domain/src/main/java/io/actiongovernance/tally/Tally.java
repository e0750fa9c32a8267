package io.actiongovernance.tally;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Quantities that are counted together: the items, and how they decay. Each item is a partition of
 * its own, so that all can be written at the same time.
 *
 * @param name prefix of the items' partition keys, which end in their numbers
 */
public record Tally(String name, WindowDecay decay) {
  public Key item(int number) {
    return Key.single(Table.LIMITS, name + "#" + number);
  }

  public List<Key> items(int spread) {
    return IntStream.range(0, spread).mapToObj(this::item).toList();
  }

  /** Returns the first {@code spread} items, as they were at one moment. */
  List<Count> snapshot(int spread, Transactions transactions) {
    List<Key> keys = items(spread);
    Map<Key, Item> found = transactions.snapshot(keys);
    return keys.stream().map(key -> Count.of(key, Optional.ofNullable(found.get(key)))).toList();
  }

  Count now(Count count) {
    return forward(count, decay.now());
  }

  /**
   * Returns an item as it is in a step. The item is unchanged if it is valid for that step or a
   * later one.
   */
  Count forward(Count count, long step) {
    return count.at() < step ? decay.forward(count, step) : count;
  }

  /** Returns whether the reservation belongs to an item of this tally. */
  public boolean counts(Reservation reservation) {
    return reservation.item().startsWith(name + "#");
  }

  /** Returns the number of an item among the items of its tally. */
  static int number(String item) {
    return Integer.parseInt(item, item.lastIndexOf('#') + 1, item.length(), 10);
  }

  static List<Change> adding(Amount amount, Map<String, BigDecimal> parts) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.add(Count.VERSION, 1));
    if (amount.actions() != 0) {
      changes.add(Change.add(Count.ACTIONS, amount.actions()));
    }
    if (amount.value().signum() != 0) {
      changes.add(Change.add(Count.VALUE, amount.value()));
    }
    parts.forEach(
        (name, number) -> {
          if (number.signum() != 0) {
            changes.add(Change.add(name, number));
          }
        });
    return changes;
  }
}
