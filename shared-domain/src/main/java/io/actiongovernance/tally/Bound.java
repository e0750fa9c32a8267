package io.actiongovernance.tally;

import static java.math.BigDecimal.ZERO;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The most that a tally may come to.
 *
 * @param actions at most so many, or null for any number
 * @param value at most this sum, or null for any
 */
public record Bound(@Nullable Long actions, @Nullable BigDecimal value) {
  /** Digits after the point of an amount that can be summed. */
  private static final int SCALE = 18;

  /** At most so many actions. */
  public static Bound of(long actions) {
    return new Bound(actions, null);
  }

  /** Whether it lets a tally come to this. */
  public boolean admits(Amount total) {
    return (actions == null || total.actions() <= actions)
        && (value == null || total.value().compareTo(value) <= 0);
  }

  /** Whether each of all items of a tally holds no more than its share. */
  boolean admitsEach(List<Count> counts) {
    boolean each = true;
    for (int item = 0; item < counts.size(); item++) {
      each = each && share(item, counts.size()).admits(counts.get(item).total());
    }
    return each;
  }

  /** The part of it that one of several items may come to; they add up to the whole. */
  Bound share(int item, int of) {
    Long ofActions = actions;
    BigDecimal ofValue = value;
    return new Bound(
        ofActions == null ? null : ofActions / of + (item < ofActions % of ? 1 : 0),
        ofValue == null ? null : share(ofValue, item, of));
  }

  private static BigDecimal share(BigDecimal whole, int item, int of) {
    BigDecimal part = whole.divide(BigDecimal.valueOf(of), SCALE, RoundingMode.DOWN);
    BigDecimal others = part.multiply(BigDecimal.valueOf(of - 1L));
    return (item == 0 ? whole.subtract(others) : part).stripTrailingZeros();
  }

  /** As much of what is wanted as there is room for on top of a total. */
  Amount room(Amount total, Amount wanted) {
    long free =
        actions == null
            ? wanted.actions()
            : Math.max(0, Math.min(wanted.actions(), actions - total.actions()));
    BigDecimal left =
        value == null
            ? wanted.value()
            : value.subtract(total.value()).max(ZERO).min(wanted.value());
    return new Amount(free, left);
  }

  /** Itself as kept on the items that go by it. */
  String text() {
    BigDecimal most = value;
    return Objects.requireNonNullElse(actions, "")
        + "/"
        + (most == null ? "" : most.stripTrailingZeros().toPlainString());
  }
}
