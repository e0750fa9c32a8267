package io.actiongovernance.tally;

import static java.math.BigDecimal.ZERO;

import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Item of a tally, as read or as it will be written. Immutable.
 *
 * @param at the step for which its total is valid
 * @param parts numbers that its decay needs, by their attributes
 * @param bound the bound up to whose share the item may be filled without reading the other items;
 *     null if they must be read
 * @param spread number of items of the tally when it was last written
 * @param version version of the item; 0 if it does not exist
 */
public record Count(
    Key key,
    long at,
    Amount total,
    Map<String, BigDecimal> parts,
    @Nullable String bound,
    int spread,
    long version) {
  static final String AT = "at";
  static final String ACTIONS = "n";
  static final String VALUE = "sum";
  static final String BOUND = "bound";
  static final String SPREAD = "spread";
  static final String VERSION = "version";
  private static final Set<String> OWN =
      Set.of(AT, ACTIONS, VALUE, BOUND, SPREAD, VERSION, Table.EXPIRES);

  public Count {
    parts = Map.copyOf(parts);
  }

  /** Returns the count stored under the key; an empty count if nothing is stored. */
  static Count of(Key key, Optional<Item> stored) {
    if (stored.isEmpty()) {
      return new Count(key, 0, Amount.NONE, Map.of(), null, 1, 0);
    }
    Item item = stored.get();
    Map<String, BigDecimal> parts = new HashMap<>();
    for (String name : item.attributes().keySet()) {
      if (!OWN.contains(name)) {
        parts.put(name, item.number(name));
      }
    }
    return new Count(
        key,
        item.whole(AT, 0),
        new Amount(item.whole(ACTIONS, 0), item.has(VALUE) ? item.number(VALUE) : ZERO),
        parts,
        item.textOrNull(BOUND),
        (int) item.whole(SPREAD, 1),
        item.whole(VERSION, 0));
  }

  public static Amount total(List<Count> counts) {
    return counts.stream().map(Count::total).reduce(Amount.NONE, Amount::plus);
  }

  /** Returns one of its numbers; zero if it has no number of that name. */
  public BigDecimal part(String name) {
    return parts.getOrDefault(name, ZERO);
  }

  /** Returns this count with another total and other numbers, valid for this step. */
  public Count at(long step, Amount newTotal, Map<String, BigDecimal> newParts) {
    return new Count(key, step, newTotal, newParts, bound, spread, version);
  }

  Count plus(Amount amount, Map<String, BigDecimal> added) {
    Map<String, BigDecimal> sum = new HashMap<>(parts);
    added.forEach((name, number) -> sum.merge(name, number, BigDecimal::add));
    return at(at, total.plus(amount), sum);
  }

  /** Returns this count as one of {@code of} items that use this bound, or no bound if null. */
  Count marked(@Nullable Bound by, int of) {
    return new Count(key, at, total, parts, by == null ? null : by.text(), of, version);
  }

  boolean isMarked(@Nullable Bound by, int of) {
    return spread == of && Objects.equals(bound, by == null ? null : by.text());
  }

  /** Returns the write that replaces the item that was read, if the item is unchanged. */
  Write write(WindowDecay decay) {
    Item.Builder item =
        Item.at(key)
            .with(AT, at)
            .with(ACTIONS, total.actions())
            .with(VALUE, total.value())
            .with(SPREAD, spread)
            .with(VERSION, version + 1);
    if (bound != null) {
      item.with(BOUND, bound);
    }
    parts.forEach(
        (name, number) -> {
          if (number.signum() != 0) {
            item.with(name, number);
          }
        });
    Long expires = decay.expires();
    if (expires != null) {
      item.with(Table.EXPIRES, expires);
    }
    return Write.put(item.build(), unchanged());
  }

  /** Returns the condition that the item is unchanged since it was read. */
  Condition unchanged() {
    return version == 0 ? Condition.absent() : Condition.equal(VERSION, version);
  }
}
