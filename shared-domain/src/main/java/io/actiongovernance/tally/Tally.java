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
 * What is counted together: its items, and how they forget. Each item is a partition of its own, so
 * that as many can be written at once as there are.
 *
 * @param name the items' partition keys begin with it, and end in their numbers
 */
public record Tally(String name, WindowDecay decay) {
  /** The key of one of its items. */
  public Key item(int number) {
    return Key.single(Table.LIMITS, name + "#" + number);
  }

  /** The keys of so many of them. */
  public List<Key> items(int spread) {
    return IntStream.range(0, spread).mapToObj(this::item).toList();
  }

  /** So many of its items, as they were at one moment. */
  List<Count> snapshot(int spread, Transactions transactions) {
    List<Key> keys = items(spread);
    Map<Key, Item> found = transactions.snapshot(keys);
    return keys.stream().map(key -> Count.of(key, Optional.ofNullable(found.get(key)))).toList();
  }

  /** An item as it is now. */
  Count now(Count count) {
    return forward(count, decay.now());
  }

  /** An item as it is in a step; as it is stored, if it has come to that or further. */
  Count forward(Count count, long step) {
    return count.at() < step ? decay.forward(count, step) : count;
  }

  /** Whether it is an item of this that counts the reserved. */
  public boolean counts(Reservation reservation) {
    return reservation.item().startsWith(name + "#");
  }

  /** The number of an item among those of its tally. */
  static int number(String item) {
    return Integer.parseInt(item, item.lastIndexOf('#') + 1, item.length(), 10);
  }

  /** The changes that add to an item. */
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
