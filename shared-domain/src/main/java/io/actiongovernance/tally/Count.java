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
 * One item of a tally as it was read, or is to be written. Immutable.
 *
 * @param at the step that its total is right for
 * @param parts what its decay has to know: numbers by their attributes
 * @param bound the bound whose share it may be filled up to without a look at the others; null if
 *     they are to be looked at
 * @param spread over how many items the tally was spread when it was last written
 * @param version of the item; 0 if there is none
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

  /** What is stored under the key; an empty count if nothing is. */
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

  /** What these items come to together. */
  public static Amount total(List<Count> counts) {
    return counts.stream().map(Count::total).reduce(Amount.NONE, Amount::plus);
  }

  /** One of its numbers, zero if it has none of the name. */
  public BigDecimal part(String name) {
    return parts.getOrDefault(name, ZERO);
  }

  /** The same with another total and other numbers, as it is in this step. */
  public Count at(long step, Amount newTotal, Map<String, BigDecimal> newParts) {
    return new Count(key, step, newTotal, newParts, bound, spread, version);
  }

  /** The same with so much more. */
  Count plus(Amount amount, Map<String, BigDecimal> added) {
    Map<String, BigDecimal> sum = new HashMap<>(parts);
    added.forEach((name, number) -> sum.merge(name, number, BigDecimal::add));
    return at(at, total.plus(amount), sum);
  }

  /** The same as one of so many items, to be filled up by this bound; by none if it is null. */
  Count marked(@Nullable Bound by, int of) {
    return new Count(key, at, total, parts, by == null ? null : by.text(), of, version);
  }

  boolean isMarked(@Nullable Bound by, int of) {
    return spread == of && Objects.equals(bound, by == null ? null : by.text());
  }

  /** The write of it in place of what it was read from, if that is as it was. */
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

  /** That it is as it was read. */
  Condition unchanged() {
    return version == 0 ? Condition.absent() : Condition.equal(VERSION, version);
  }
}
