package io.actiongovernance.tally;

import static java.math.BigDecimal.ZERO;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Upper bound of a tally.
 *
 * @param actions maximum number of actions, or null for any number
 * @param value maximum sum, or null for any sum
 */
public record Bound(@Nullable Long actions, @Nullable BigDecimal value) {
  /** Number of digits after the point of an amount that can be summed. */
  private static final int SCALE = 18;

  public static Bound of(long actions) {
    return new Bound(actions, null);
  }

  /** Returns whether a tally may reach this total. */
  public boolean admits(Amount total) {
    return (actions == null || total.actions() <= actions)
        && (value == null || total.value().compareTo(value) <= 0);
  }

  /** Returns whether each item of a tally holds at most its share. */
  boolean admitsEach(List<Count> counts) {
    boolean each = true;
    for (int item = 0; item < counts.size(); item++) {
      each = each && share(item, counts.size()).admits(counts.get(item).total());
    }
    return each;
  }

  /** Returns the share of one of several items. The shares add up to the whole bound. */
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

  /** Returns the part of the wanted amount for which there is room beyond a total. */
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

  /** Returns the form that is stored on the items that use the bound. */
  String text() {
    BigDecimal most = value;
    return Objects.requireNonNullElse(actions, "")
        + "/"
        + (most == null ? "" : most.stripTrailingZeros().toPlainString());
  }
}
