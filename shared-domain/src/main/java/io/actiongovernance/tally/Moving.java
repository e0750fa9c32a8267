package io.actiongovernance.tally;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Entry that moves a reservation that still counts to the current step. There is no room for
 * reservations that the decay has removed in the meantime.
 */
public final class Moving implements Entry {
  private final Tally tally;
  private final List<Reservation> from;
  private final Transactions transactions;
  private List<Write> writes = List.of();
  private List<Reservation> reservations = List.of();

  /**
   * @param from reservations of the tally
   */
  public Moving(Tally tally, List<Reservation> from, Transactions transactions) {
    this.tally = tally;
    this.from = from;
    this.transactions = transactions;
  }

  /** Returns the new reservations, once they are written. */
  public List<Reservation> reservations() {
    return reservations;
  }

  @Override
  public boolean prepare() {
    List<Key> keys = from.stream().map(one -> Key.single(Table.LIMITS, one.item())).toList();
    Map<Key, Item> items = transactions.snapshot(keys);
    writes = new ArrayList<>();
    reservations = new ArrayList<>();
    for (int at = 0; at < keys.size(); at++) {
      Key key = keys.get(at);
      Reservation reserved = from.get(at);
      Count count = Count.of(key, Optional.ofNullable(items.get(key)));
      if (count.version() == 0 || count.at() > tally.decay().counts(reserved.step())) {
        return false;
      }
      Count moved = moved(count, reserved);
      writes.add(moved.write(tally.decay()));
      reservations.add(Reservation.of(moved, reserved.amount()));
    }
    return true;
  }

  private Count moved(Count count, Reservation reserved) {
    long step = Math.max(tally.decay().now(), count.at());
    Amount out = Amount.NONE.minus(reserved.amount());
    Count without = count.plus(out, tally.decay().parts(reserved.step(), out));
    return tally
        .forward(without, step)
        .plus(reserved.amount(), tally.decay().parts(step, reserved.amount()));
  }

  @Override
  public List<Write> writes() {
    return writes;
  }

  /** Does nothing, because the next preparation reads what was written in the meantime. */
  @Override
  public void refused(Map<Integer, Optional<Item>> refused) {}
}
