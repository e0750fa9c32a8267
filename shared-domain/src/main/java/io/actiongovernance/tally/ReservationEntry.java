package io.actiongovernance.tally;

import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Entry that reserves an amount of a tally if its bound permits, exactly, under any concurrency.
 *
 * <p>Each item may be filled up to its share of the bound. One item is drawn at random and added to
 * without being read, on the condition that it uses this bound and has room. If it has no room, all
 * items are read as one snapshot and the remaining sum is taken from several. If that is not
 * enough, the reservation is refused as of that snapshot.
 *
 * <p>An item may hold more than its share, if the bound was lowered, the tally was spread further,
 * or an excess was approved. While it does, no item uses a bound. Each reservation then requires
 * that all items are as in the snapshot. This ends when no item holds more than its share any
 * longer.
 */
public final class ReservationEntry implements Entry {
  private final Tally tally;
  private final Wanted wanted;
  private final Transactions transactions;
  private final RandomGenerator random;
  private int spread;
  private int number;
  private long step;
  private boolean look;
  private boolean stale;
  private @Nullable Count found;
  private List<Write> writes = List.of();
  private List<Reservation> reservations = List.of();
  private List<Count> full = List.of();

  /**
   * Amount to reserve.
   *
   * @param most the limit that refuses it: the bound, or more if an excess was approved
   * @param guard a check of the bound's source, used if the items do not record that they use the
   *     bound; null if none
   */
  public record Wanted(Amount amount, Bound bound, Bound most, Write.@Nullable Check guard) {}

  /**
   * @param spread number of items of the tally, as far as known
   */
  public ReservationEntry(
      Tally tally, Wanted wanted, int spread, Transactions transactions, RandomGenerator random) {
    this.tally = tally;
    this.wanted = wanted;
    this.transactions = transactions;
    this.random = random;
    draw(spread);
  }

  private void draw(int of) {
    spread = of;
    number = of == 1 ? 0 : random.nextInt(of);
    look = !wanted.bound().share(number, of).admits(wanted.amount());
    found = null;
  }

  /** Returns the reservations, once they are written. */
  public List<Reservation> reservations() {
    return reservations;
  }

  @Override
  public List<Write> writes() {
    return writes;
  }

  public Tally tally() {
    return tally;
  }

  /** Returns all items of the tally as they were when they had no room; empty until then. */
  public List<Count> full() {
    return full;
  }

  /**
   * Returns whether the result is unknown because the guard was refused, since the bound has
   * changed.
   */
  public boolean isStale() {
    return stale;
  }

  @Override
  public boolean prepare() {
    if (stale) {
      return false;
    }
    step = Math.max(step, tally.decay().now());
    if (!look && found == null) {
      blindly();
      return true;
    }
    Count there = found;
    if (!look && there != null && fits(there)) {
      Count now = forward(there);
      if (there.at() == step) {
        // Another writer has already advanced it to this step, so adding to it now obstructs
        // nobody.
        blindly();
        return true;
      }
      Map<String, BigDecimal> parts = tally.decay().parts(now.at(), wanted.amount());
      writes = List.of(now.plus(wanted.amount(), parts).write(tally.decay()));
      reservations = List.of(Reservation.of(now, wanted.amount()));
      return true;
    }
    return spread == 1 && there != null ? all(Map.of(there.key(), there)) : all(Map.of());
  }

  /** Prepares the common case: one write that adds to an unread item if it has room. */
  private void blindly() {
    Bound share = wanted.bound().share(number, spread);
    List<Condition> conditions = new ArrayList<>();
    conditions.add(equal(Count.AT, step));
    conditions.add(equal(Count.SPREAD, spread));
    conditions.add(equal(Count.BOUND, wanted.bound().text()));
    if (share.actions() != null) {
      conditions.add(atMost(Count.ACTIONS, share.actions() - wanted.amount().actions()));
    }
    if (share.value() != null) {
      conditions.add(atMost(Count.VALUE, share.value().subtract(wanted.amount().value())));
    }
    writes =
        List.of(
            Write.update(
                tally.item(number),
                new Condition.And(conditions),
                Tally.adding(wanted.amount(), tally.decay().parts(step, wanted.amount()))));
    reservations =
        List.of(
            new Reservation(
                tally.item(number).partition(),
                step,
                wanted.amount().actions(),
                wanted.amount().value()));
  }

  /** Returns whether an item uses this bound and has room within its share. */
  private boolean fits(Count count) {
    return count.isMarked(wanted.bound(), spread)
        && wanted
            .bound()
            .share(number, spread)
            .admits(forward(count).total().plus(wanted.amount()));
  }

  private Count forward(Count count) {
    step = Math.max(step, count.at());
    return tally.forward(count, step);
  }

  /**
   * Reads all items, as they were at one moment.
   *
   * @param known the only item, if the tally has just one and it was just read; otherwise empty
   */
  private boolean all(Map<Key, Count> known) {
    List<Count> counts =
        known.isEmpty() ? snapshot() : tally.items(1).stream().map(known::get).toList();
    counts.forEach(count -> step = Math.max(step, count.at()));
    List<Count> now = counts.stream().map(this::forward).toList();
    Amount after = Count.total(now).plus(wanted.amount());
    if (!wanted.most().admits(after)) {
      full = now;
      return false;
    }
    ReservationOfAll of = new ReservationOfAll(wanted, tally.decay(), number);
    if (wanted.bound().admits(after) && wanted.bound().admitsEach(now)) {
      of.takeShares(now);
    } else {
      of.takeOfAll(now);
    }
    writes = of.writes();
    reservations = of.reservations();
    return true;
  }

  private List<Count> snapshot() {
    List<Count> counts = tally.snapshot(spread, transactions);
    int widest = counts.stream().mapToInt(Count::spread).max().orElse(spread);
    if (widest > spread) {
      spread = widest;
      number = random.nextInt(widest);
      return snapshot();
    }
    return counts;
  }

  @Override
  public void refused(Map<Integer, Optional<Item>> refused) {
    stale = refused.containsKey(0) && writes.getFirst().equals(wanted.guard());
    boolean one = writes.size() == 1 && refused.size() == 1;
    if (!one) {
      // Another writer was at work on that item. After a new draw, this entry will probably use
      // another item.
      boolean looked = look;
      draw(spread);
      look = look || looked;
      return;
    }
    Count there = Count.of(writes.getFirst().key(), refused.values().iterator().next());
    if (there.spread() > spread) {
      draw(there.spread());
      return;
    }
    found = there;
    look = spread > 1 && !fits(there);
  }
}
