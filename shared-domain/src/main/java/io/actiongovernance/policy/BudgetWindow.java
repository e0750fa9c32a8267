package io.actiongovernance.policy;

import static java.math.BigDecimal.ZERO;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one budget's item holds: the sixtieths of the window by number (time since the epoch, in
 * sixtieths), what was counted in each, their totals, and a mark per action that is reserved and
 * not settled. The {@code epoch} is the newest sixtieth: the totals are right for it, and whoever
 * comes in a later one first rotates out what has left the window. Immutable.
 *
 * <p>An action counts in its own sixtieth and the 60 that follow, so for the whole window and up to
 * a sixtieth more, never less.
 */
record BudgetWindow(Item item) {
  static final String EPOCH = "epoch";
  static final String VERSION = "version";
  static final String ACTIONS = "total_actions";
  static final String VALUE = "total_value";
  private static final String SLOT_ACTIONS = "actions_";
  private static final String SLOT_VALUE = "value_";
  private static final String MARK = "held_";
  private static final int SLOTS = 60;

  /** An action's reservation: the sixtieth it counts in and the value it counts with. */
  record Mark(long slot, BigDecimal amount) {
    static Mark parse(String text) {
      int space = text.indexOf(' ');
      return new Mark(
          Long.parseLong(text.substring(0, space)), new BigDecimal(text.substring(space + 1)));
    }

    String text() {
      return slot + " " + amount.toPlainString();
    }

    /** Counts one more action of this amount in the sixtieth, or ({@code sign} -1) one less. */
    List<Change> count(int sign) {
      return List.of(
          Change.add(SLOT_ACTIONS + slot, sign),
          Change.add(SLOT_VALUE + slot, sign < 0 ? amount.negate() : amount));
    }
  }

  /** The number of the sixtieth of such a window that an instant is in. */
  static long slot(long millis, Limit limit) {
    return Math.floorDiv(millis * SLOTS, limit.windowSeconds() * 1_000);
  }

  static String mark(ActionId action) {
    return MARK + action.value();
  }

  static BudgetWindow empty(Key key) {
    return new BudgetWindow(
        Item.at(key).with(EPOCH, 0).with(VERSION, 0).with(ACTIONS, 0).with(VALUE, 0).build());
  }

  Optional<Mark> markOf(ActionId action) {
    return Optional.ofNullable(item.textOrNull(mark(action))).map(Mark::parse);
  }

  long epoch() {
    return item.whole(EPOCH, 0);
  }

  long version() {
    return item.whole(VERSION, 0);
  }

  long actions() {
    return item.whole(ACTIONS, 0);
  }

  BigDecimal value() {
    return item.number(VALUE);
  }

  /** The window as it is in this sixtieth, or a later one that the item has already seen. */
  BudgetWindow at(long slot) {
    long now = Math.max(slot, epoch());
    long oldest = now - SLOTS;
    BigDecimal actions = ZERO;
    BigDecimal value = ZERO;
    Item.Builder kept = Item.at(item.key());
    for (Map.Entry<String, Object> attribute : item.attributes().entrySet()) {
      String name = attribute.getKey();
      Long counted = slotOf(name, attribute.getValue());
      if (counted != null && counted < oldest) {
        continue;
      }
      if (attribute.getValue() instanceof BigDecimal number) {
        kept.with(name, number);
        actions = name.startsWith(SLOT_ACTIONS) ? actions.add(number) : actions;
        value = name.startsWith(SLOT_VALUE) ? value.add(number) : value;
      } else {
        kept.with(name, item.text(name));
      }
    }
    return new BudgetWindow(
        kept.with(EPOCH, now).with(ACTIONS, actions).with(VALUE, value).build());
  }

  /** The item to store in place of the one this was read from. */
  Item next(long expires) {
    Map<String, Object> attributes = new HashMap<>(item.attributes());
    attributes.put(VERSION, BigDecimal.valueOf(version() + 1));
    attributes.put(Table.EXPIRES, BigDecimal.valueOf(expires));
    return new Item(item.key(), attributes);
  }

  /** The sixtieth that an attribute belongs to, null if it belongs to none. */
  private static @Nullable Long slotOf(String name, Object value) {
    if (name.startsWith(SLOT_ACTIONS)) {
      return Long.valueOf(name.substring(SLOT_ACTIONS.length()));
    }
    if (name.startsWith(SLOT_VALUE)) {
      return Long.valueOf(name.substring(SLOT_VALUE.length()));
    }
    return name.startsWith(MARK) ? Long.valueOf(Mark.parse((String) value).slot()) : null;
  }
}
