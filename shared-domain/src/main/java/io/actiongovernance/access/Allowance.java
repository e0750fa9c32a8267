package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.equal;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.tally.Adding;
import io.actiongovernance.tally.Amount;
import io.actiongovernance.tally.Bound;
import io.actiongovernance.tally.Entry;
import io.actiongovernance.tally.GivingBack;
import io.actiongovernance.tally.Rebalance;
import io.actiongovernance.tally.Reservation;
import io.actiongovernance.tally.ReservationEntry;
import io.actiongovernance.tally.Tallies;
import io.actiongovernance.tally.Tally;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The monthly allowance of executed actions (specification, Action allowance; contract, section 6).
 *
 * <p>Under a hard cap, the transaction that claims a plan reserves what the plan may use, all or
 * nothing. The transaction that disposes of an action settles its part. An applied action counts in
 * the month in which it applied. An action that did not apply gives its part back. The part of an
 * action with an unknown outcome stays reserved until it is resolved, even in later months. The
 * count therefore agrees with the receipts after any crash, and there is no reservation without a
 * claim.
 *
 * <p>Without a cap nothing is reserved. Actions claimed before a cap was set count too, and may
 * exceed it.
 *
 * <p>Thread-safe.
 */
public final class Allowance {
  /** Maximum number of actions a month, both for the included actions and for a cap. */
  public static final long MOST_ACTIONS = 1_000_000_000_000L;

  /**
   * Minimum number of items over which the count is spread. Each applied action is counted on one
   * item.
   */
  private static final int LEAST_ITEMS = 8;

  /**
   * Maximum number of items. A claim reads all items in its transaction, which must also have room
   * for the claim's locks.
   */
  public static final int MOST_ITEMS = 32;

  private static final int TRIES = 20;
  private static final String HARD_CAP = "hard_cap";
  private static final String SPREAD = "spread";
  private static final String SPREAD_BEFORE = "spread_before";
  private static final String SPREAD_SINCE = "spread_since";

  private final Store store;
  private final Transactions transactions;
  private final Tallies tallies;
  private final Months months;
  private final RandomGenerator random;

  public Allowance(
      Store store, Transactions transactions, RandomGenerator random, InstantSource clock) {
    this.store = store;
    this.transactions = transactions;
    this.tallies = new Tallies(store);
    this.months = new Months(clock);
    this.random = random;
  }

  /**
   * Terms of a tenant in a mode.
   *
   * @param hardCap actions a month, or null for no cap
   * @param spread the tenant's spread over keys
   */
  public record Terms(long includedActions, @Nullable Long hardCap, Spread spread) {
    /** Terms of a tenant without a paid spread. */
    public Terms(long includedActions, @Nullable Long hardCap) {
      this(includedActions, hardCap, Spread.ONE);
    }

    private int items() {
      return Math.max(LEAST_ITEMS, Math.min(spread.shards(), MOST_ITEMS));
    }
  }

  /**
   * Reservation of a claim, and the tenant's spread when the reservation was made.
   *
   * @param items the items that count the claim's actions, in the order of the actions; empty if
   *     nothing was reserved because there was no cap
   */
  public record Part(List<Share> items, int spread) {
    /** The part of a claim that has not been made yet. */
    public static final Part NONE = new Part(List.of(), 1);

    public Part {
      items = List.copyOf(items);
    }

    /** The number of the claim's actions that an item counts. */
    public record Share(int item, long actions) {}

    /** Returns the item that counts the action at this position; null if no item does. */
    private @Nullable Integer item(int place) {
      long before = 0;
      for (Share share : items) {
        before += share.actions();
        if (place < before) {
          return share.item();
        }
      }
      return null;
    }
  }

  public static Write define(Partition partition, Terms terms) {
    Spread spread = terms.spread();
    Item.Builder item =
        Item.at(termsKey(partition))
            .with("included_actions", terms.includedActions())
            .with(SPREAD, spread.shards())
            .with(SPREAD_BEFORE, spread.before())
            .with(SPREAD_SINCE, spread.since().toEpochMilli());
    if (terms.hardCap() != null) {
      item.with(HARD_CAP, terms.hardCap());
    }
    return Write.insert(item.build());
  }

  /**
   * Returns the terms in force. If none are stored, no actions are included and there is no cap.
   */
  public Terms terms(Partition partition) {
    return terms(store.get(termsKey(partition)));
  }

  /** Reads the terms from the item under their {@link #termsKey}, if there is one. */
  public static Terms terms(Optional<Item> stored) {
    return stored
        .map(
            item ->
                new Terms(
                    item.whole("included_actions", 0),
                    item.has(HARD_CAP) ? item.whole(HARD_CAP, 0) : null,
                    spread(item)))
        .orElse(new Terms(0, null));
  }

  private static Spread spread(Item item) {
    int shards = (int) item.whole(SPREAD, 1);
    return new Spread(
        (int) item.whole(SPREAD_BEFORE, shards),
        Instant.ofEpochMilli(item.whole(SPREAD_SINCE, 0)),
        shards);
  }

  public static Spread spread(Store store, Partition partition) {
    return terms(store.get(termsKey(partition))).spread();
  }

  /** Returns the write that raises a spread, unless another request has changed it. */
  public static Write raise(Partition partition, Spread from, Spread to) {
    return Write.update(
        termsKey(partition),
        equal(SPREAD, from.shards()),
        Change.set(SPREAD, to.shards()),
        Change.set(SPREAD_BEFORE, to.before()),
        Change.set(SPREAD_SINCE, to.since().toEpochMilli()));
  }

  /**
   * Reservation for a claim, in its transaction. Belongs to one attempt; not thread-safe.
   *
   * @param entry null if there is no cap
   */
  public record Reserve(@Nullable ReservationEntry entry, Terms terms) {
    public List<Entry> entries() {
      return entry == null ? List.of() : List.of(entry);
    }

    /** Returns the reservation, once the prepared entries are written. */
    public Part part() {
      List<Reservation> reserved = entry == null ? List.of() : entry.reservations();
      return new Part(
          reserved.stream().map(one -> new Part.Share(one.number(), one.actions())).toList(),
          terms.spread().shards());
    }

    /** Returns whether the terms have changed, so that they must be read again. */
    public boolean isStale() {
      return entry != null && entry.isStale();
    }

    /** Returns the maximum number of items that this reservation may write. */
    public int most() {
      return entry == null ? 0 : terms.items() + 1;
    }
  }

  /** Prepares the reservation for a number of actions, under these terms. */
  public Reserve reserve(Partition partition, Terms terms, int actions) {
    Long hardCap = terms.hardCap();
    if (hardCap == null || actions == 0) {
      return new Reserve(null, terms);
    }
    Bound cap = Bound.of(hardCap);
    Write.Check guard = new Write.Check(termsKey(partition), equal(HARD_CAP, hardCap));
    ReservationEntry.Wanted wanted =
        new ReservationEntry.Wanted(Amount.of(actions), cap, cap, guard);
    return new Reserve(
        new ReservationEntry(tally(partition), wanted, terms.items(), transactions, random), terms);
  }

  /**
   * Returns the entry that counts an applied action, in the transaction that records it.
   *
   * @param place the action's position among the actions that the claim reserved for
   * @param at the time in the action's receipt, which decides the month that counts it
   */
  public Entry applied(Partition partition, Part part, int place, Instant at) {
    Integer reserved = part.item(place);
    boolean counted = reserved != null;
    Adding.Happened happened =
        new Adding.Happened(
            Months.step(at),
            Amount.of(counted ? 0 : 1),
            Months.applied(1),
            Amount.of(counted ? -1 : 0));
    return new Adding(tally(partition), counted ? reserved : random.nextInt(LEAST_ITEMS), happened);
  }

  /**
   * Returns the entries that release an action's part, in the transaction that records that it did
   * not apply.
   */
  public List<Entry> givingBack(Partition partition, Part part, int place) {
    Integer reserved = part.item(place);
    if (reserved == null) {
      return List.of();
    }
    String item = tally(partition).item(reserved).partition();
    return List.of(new GivingBack(List.of(new Reservation(item, 0, 1, BigDecimal.ZERO)), months));
  }

  public long used(Partition partition) {
    return tallies.counts(tally(partition), MOST_ITEMS).stream().mapToLong(Months::applied).sum();
  }

  /** Returns the number of actions that applied in the current month, or may still apply. */
  public long taken(Partition partition) {
    return tallies.counts(tally(partition), MOST_ITEMS).stream()
        .mapToLong(count -> count.total().actions())
        .sum();
  }

  /**
   * Changes the cap, from this month on. Once this returns, nothing is claimed under another cap.
   *
   * @param receipt makes the insert of the receipt for a change between two terms; if that receipt
   *     already exists, the change was made earlier
   * @return the terms now in force
   */
  public Terms cap(
      Partition partition, @Nullable Long hardCap, BiFunction<Terms, Terms, Write> receipt) {
    Terms terms = terms(partition);
    while (!Objects.equals(terms.hardCap(), hardCap)) {
      Terms wanted = new Terms(terms.includedActions(), hardCap, terms.spread());
      Store.Transacted made =
          store.transact(List.of(recap(partition, terms, wanted), receipt.apply(terms, wanted)));
      if (made.done() || made instanceof Store.Transacted.Refused refused && madeBefore(refused)) {
        break;
      }
      // Other requests change the cap too: the stored state decides.
      terms = terms(partition);
    }
    return align(partition);
  }

  private static boolean madeBefore(Store.Transacted.Refused refused) {
    return refused.of(0).isEmpty() && refused.of(1).isPresent();
  }

  private static Write recap(Partition partition, Terms before, Terms wanted) {
    Long old = before.hardCap();
    Long hardCap = wanted.hardCap();
    return Write.update(
        termsKey(partition),
        old == null ? Condition.lacks(HARD_CAP) : equal(HARD_CAP, old),
        hardCap == null ? Change.remove(HARD_CAP) : Change.set(HARD_CAP, hardCap));
  }

  /** Sets or removes the cap on all items. A claim under another cap then reads the terms again. */
  private Terms align(Partition partition) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Terms terms = terms(partition);
      Long hardCap = terms.hardCap();
      List<Write> writes =
          new Rebalance(tally(partition), hardCap == null ? null : Bound.of(hardCap))
              .writes(terms.items(), transactions);
      if (writes.isEmpty() || transactions.run(writes).done()) {
        return terms;
      }
      transactions.pause(attempt);
    }
    throw new StoreUnavailable("The cap met contention " + TRIES + " times.", null);
  }

  private Tally tally(Partition partition) {
    return new Tally(partition.key("usage"), months);
  }

  /** Returns the key of the terms, for callers that read them along with other items. */
  public static Key termsKey(Partition partition) {
    return Key.single(Table.LIMITS, partition.key("allowance"));
  }
}
