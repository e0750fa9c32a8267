package io.actiongovernance.tally;

import java.math.BigDecimal;

/**
 * Amount that one item of a tally counts for an owner, until it is given back or forgotten.
 *
 * @param item the item's partition key
 * @param step that it is counted in
 */
public record Reservation(String item, long step, long actions, BigDecimal value) {
  static Reservation of(Count count, Amount amount) {
    return new Reservation(
        count.key().partition(), count.at(), amount.actions(), amount.value().stripTrailingZeros());
  }

  /** Returns the number of the item among those of its tally. */
  public int number() {
    return Tally.number(item);
  }

  Amount amount() {
    return new Amount(actions, value);
  }
}
