package io.actiongovernance.tally;

import io.actiongovernance.store.Write;
import io.actiongovernance.tally.ReservationEntry.Wanted;
import java.util.ArrayList;
import java.util.List;

/** Writes of a reservation that has read all items of a tally as one snapshot. Not thread-safe. */
final class ReservationOfAll {
  private final Wanted wanted;
  private final WindowDecay decay;
  private final int number;
  private final List<Write> writes = new ArrayList<>();
  private final List<Reservation> reservations = new ArrayList<>();

  /**
   * @param number number of the item that was drawn
   */
  ReservationOfAll(Wanted wanted, WindowDecay decay, int number) {
    this.wanted = wanted;
    this.decay = decay;
    this.number = number;
    if (wanted.guard() != null) {
      writes.add(wanted.guard());
    }
  }

  List<Write> writes() {
    return writes;
  }

  List<Reservation> reservations() {
    return reservations;
  }

  /**
   * Takes what is available, beginning with the drawn item. All items use the bound from now on.
   */
  void takeShares(List<Count> now) {
    int spread = now.size();
    int first = withRoomForAll(now);
    Amount left = wanted.amount();
    for (int turn = 0; turn < spread; turn++) {
      int item = (first + turn) % spread;
      Count count = now.get(item).marked(wanted.bound(), spread);
      Amount taken = wanted.bound().share(item, spread).room(count.total(), left);
      left = left.minus(taken);
      if (turn == 0 || !taken.none()) {
        take(count, taken);
      } else if (!now.get(item).isMarked(wanted.bound(), spread)) {
        writes.add(count.write(decay));
      }
    }
  }

  private int withRoomForAll(List<Count> now) {
    int spread = now.size();
    for (int turn = 0; turn < spread; turn++) {
      int item = (number + turn) % spread;
      if (wanted.bound().share(item, spread).admits(now.get(item).total().plus(wanted.amount()))) {
        return item;
      }
    }
    return number;
  }

  /**
   * Takes the amount from one item and requires that all other items are unchanged. No item uses a
   * bound then.
   */
  void takeOfAll(List<Count> now) {
    int spread = now.size();
    for (int item = 0; item < spread; item++) {
      Count count = now.get(item);
      if (item == number) {
        take(count.marked(null, spread), wanted.amount());
      } else if (count.version() > 0 && count.isMarked(null, spread)) {
        writes.add(Write.check(count.key(), count.unchanged()));
      } else {
        writes.add(count.marked(null, spread).write(decay));
      }
    }
  }

  private void take(Count count, Amount amount) {
    writes.add(count.plus(amount, decay.parts(count.at(), amount)).write(decay));
    reservations.add(Reservation.of(count, amount));
  }
}
