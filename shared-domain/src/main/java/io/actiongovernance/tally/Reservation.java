package io.actiongovernance.tally;

import java.math.BigDecimal;

/**
 * Amount that one item of a tally counts for an owner, until the amount is given back or the decay
 * removes it.
 *
 * @param item the item's partition key
 * @param step the step in which it is counted
 */
public record Reservation(String item, long step, long actions, BigDecimal value) {
  static Reservation of(Count count, Amount amount) {
    return new Reservation(
        count.key().partition(), count.at(), amount.actions(), amount.value().stripTrailingZeros());
  }

  /** Returns the number of the item among the items of its tally. */
  public int number() {
    return Tally.number(item);
  }

  Amount amount() {
    return new Amount(actions, value);
  }
}
