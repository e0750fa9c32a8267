package io.actiongovernance.access;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.contains;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.greater;
import static io.actiongovernance.store.Condition.not;

import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The monthly allowance of executed actions (specification, Action allowance; contract, section 6).
 *
 * <p>Under a hard cap, what a plan may use is reserved before it runs, all or nothing, and each
 * action's part ends in the transaction that says what became of it. What is unknown stays
 * reserved, and is carried into the next month, until it is resolved.
 *
 * <p>Without a cap there is nothing to keep room under. An action that applies is then counted by
 * the transaction that disposes of it, on one of {@value #SHARDS} items, so that few of many at
 * once meet. What was claimed before a cap was set counts too, and may pass it.
 *
 * <p>A reservation belongs to the attempt that made it, so that one that fails gives back its own
 * and never that of another which succeeded.
 *
 * <p>The item of a month keeps the headroom under the cap, so that a plain condition can hold it;
 * without a cap the headroom is vast.
 *
 * <p>Thread-safe.
 */
public final class Allowance {
  /** The most actions a month that can be included, or be a cap. */
  public static final long MOST_ACTIONS = 1_000_000_000_000L;

  private static final long VAST = 1_000_000_000_000_000_000L;
  private static final String SEPARATOR = "#";
  private static final int SHARDS = 16;
  private static final String USED = "used";

  private final Store store;
  private final InstantSource clock;

  public Allowance(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * What a tenant may use in a mode.
   *
   * @param hardCap actions a month, or null for no cap
   */
  public record Terms(long includedActions, @Nullable Long hardCap) {
    long ceiling() {
      return hardCap == null ? VAST : hardCap;
    }
  }

  /**
   * The attempt to claim that reserved something, and the month it reserved it in.
   *
   * @param period null if nothing was reserved, for want of a cap
   * @param attempt a body of an identifier: it says when the attempt was made
   */
  public record Part(@Nullable String period, String attempt) {
    /** When the attempt was made. */
    public Instant madeAt() {
      return Ids.timeOf(attempt);
    }

    /** Whether both are of one attempt, in whatever month it was or was carried into. */
    public boolean sameAttempt(@Nullable Part other) {
      return other != null && attempt.equals(other.attempt);
    }

    private String of(ActionId action) {
      return action.value() + SEPARATOR + attempt;
    }
  }

  /**
   * The part of a new attempt: to be reserved in this month if there is a cap.
   *
   * @param attempt a body of an identifier
   */
  public Part part(Terms terms, String attempt) {
    return new Part(terms.hardCap() == null ? null : period(), attempt);
  }

  /** Something reserved and not settled: an action's part. */
  public record Pending(ActionId action, Part part) {}

  /** The write that sets a new tenant's terms. */
  public static Write define(Partition partition, Terms terms) {
    Item.Builder item =
        Item.at(termsKey(partition)).with("included_actions", terms.includedActions());
    if (terms.hardCap() != null) {
      item.with("hard_cap", terms.hardCap());
    }
    return Write.insert(item.build());
  }

  /** The terms in force; without any, nothing is included and nothing capped. */
  public Terms terms(Partition partition) {
    return terms(store.get(termsKey(partition)));
  }

  /** The terms in the item that was read under their {@link #termsKey}, if there is one. */
  public static Terms terms(Optional<Item> stored) {
    return stored
        .map(
            item ->
                new Terms(
                    item.whole("included_actions", 0),
                    item.has("hard_cap") ? item.whole("hard_cap", 0) : null))
        .orElse(new Terms(0, null));
  }

  /** The month that an instant falls in, as {@code 2026-11}. */
  public static String period(Instant instant) {
    return YearMonth.from(instant.atZone(ZoneOffset.UTC)).toString();
  }

  /** The month that now falls in. */
  public String period() {
    return period(clock.instant());
  }

  /**
   * Reserves one action each, or none at all.
   *
   * @return whether there was room for all of them
   */
  public boolean reserve(Partition partition, Part part, List<ActionId> actions) {
    String period = part.period();
    if (actions.isEmpty() || period == null) {
      return true;
    }
    Set<String> ids = actions.stream().map(part::of).collect(Collectors.toSet());
    String first = part.of(actions.getFirst());
    Write reservation =
        Write.update(
            key(partition, period),
            and(
                greater("headroom", counted(partition, period) + actions.size() - 1),
                not(contains("pending", first))),
            Change.include("pending", ids),
            Change.add("headroom", -actions.size()));
    while (true) {
      Store.Written written = store.write(reservation);
      if (!(written instanceof Store.Written.Refused(Optional<Item> found))) {
        return true;
      }
      if (found.isPresent()) {
        return found.get().texts("pending").containsAll(ids);
      }
      open(partition, period);
    }
  }

  /** All that is reserved in a month and not settled, oldest attempt first. */
  public List<Pending> pending(Partition partition, String period) {
    return store.get(key(partition, period)).map(item -> item.texts("pending")).stream()
        .flatMap(Set::stream)
        .map(text -> pending(period, text))
        .sorted(Comparator.comparing(pending -> pending.part().attempt()))
        .toList();
  }

  private static Pending pending(String period, String text) {
    int separator = text.indexOf(SEPARATOR);
    return new Pending(
        new ActionId(text.substring(0, separator)),
        new Part(period, text.substring(separator + SEPARATOR.length())));
  }

  /**
   * What is reserved in the month before and not settled takes room in this one too: it may come to
   * count here.
   */
  private Set<String> carried(Partition partition, String period) {
    String before = YearMonth.parse(period).minusMonths(1).toString();
    return store.get(key(partition, before)).map(item -> item.texts("pending")).orElse(Set.of());
  }

  private void open(Partition partition, String period) {
    Terms terms = terms(partition);
    Set<String> carried = carried(partition, period);
    Item.Builder month =
        Item.at(key(partition, period))
            .with("headroom", terms.ceiling() - carried.size())
            .with("ceiling", terms.ceiling());
    if (!carried.isEmpty()) {
      month.with("pending", carried);
    }
    // Refused means that another request opened the month.
    store.write(Write.insert(month.build()));
    // The cap may have been changed by one who did not find the month open yet.
    align(partition, period);
  }

  /**
   * The writes that end what was reserved for an action, for the transaction that says what became
   * of it, and happens once; so the count and the receipts agree whenever that dies. Nothing is
   * ended for an action whose outcome is unknown: what is reserved for it stays reserved.
   *
   * @param appliedAt when it applied, which decides the month it counts in; null if it did not
   * @param now the time of the transaction
   */
  public List<Write> ending(
      Partition partition, Part part, ActionId action, @Nullable Instant appliedAt, Instant now) {
    String reserved = part.period();
    if (reserved == null) {
      return appliedAt == null ? List.of() : List.of(count(partition, action, appliedAt));
    }
    String element = part.of(action);
    if (reserved.equals(period(now))) {
      return List.of(end(partition, reserved, element, appliedAt != null, true));
    }
    List<Write> writes = new ArrayList<>();
    for (YearMonth month = YearMonth.parse(reserved);
        !month.isAfter(month(now));
        month = month.plusMonths(1)) {
      boolean last = month.equals(month(now));
      if (last && appliedAt != null && store.get(key(partition, month.toString())).isEmpty()) {
        open(partition, month.toString());
      }
      boolean pending =
          store
              .get(key(partition, month.toString()))
              .filter(item -> item.texts("pending").contains(element))
              .isPresent();
      if (pending || (last && appliedAt != null)) {
        writes.add(end(partition, month.toString(), element, last && appliedAt != null, pending));
      }
    }
    return writes;
  }

  /**
   * @param pending whether there is room taken for it in this month
   */
  private static Write end(
      Partition partition, String period, String element, boolean applied, boolean pending) {
    List<Change> changes = new ArrayList<>();
    changes.add(Change.exclude("pending", Set.of(element)));
    if (applied) {
      changes.add(Change.add(USED, 1));
    }
    if (applied != pending) {
      changes.add(Change.add("headroom", pending ? 1 : -1));
    }
    return Write.update(key(partition, period), Condition.present(), changes);
  }

  private static YearMonth month(Instant instant) {
    return YearMonth.from(instant.atZone(ZoneOffset.UTC));
  }

  private static Write count(Partition partition, ActionId action, Instant appliedAt) {
    return Write.update(
        new Key(
            Table.LIMITS,
            countedPartition(partition, period(appliedAt)),
            "%02d".formatted(Math.floorMod(action.value().hashCode(), SHARDS))),
        Condition.always(),
        Change.add(USED, 1));
  }

  private long counted(Partition partition, String period) {
    Query query = Query.of(Table.LIMITS, countedPartition(partition, period));
    return store.query(query).items().stream().mapToLong(item -> item.whole(USED, 0)).sum();
  }

  /**
   * Gives back what was reserved for an action that is not to run, or whose effect is another's;
   * done again, changes nothing.
   */
  public void release(Partition partition, Part part, ActionId action) {
    String reserved = part.period();
    if (reserved == null) {
      return;
    }
    String element = part.of(action);
    YearMonth now = month(clock.instant());
    for (YearMonth month = YearMonth.parse(reserved);
        !month.isAfter(now);
        month = month.plusMonths(1)) {
      // Refused means that it was given back before, or was never carried into this month.
      store.write(
          Write.update(
              key(partition, month.toString()),
              contains("pending", element),
              Change.exclude("pending", Set.of(element)),
              Change.add("headroom", 1)));
    }
  }

  /** Actions applied in a month. */
  public long used(Partition partition, String period) {
    long settled = store.get(key(partition, period)).map(item -> item.whole(USED, 0)).orElse(0L);
    return settled + counted(partition, period);
  }

  /**
   * Changes the cap, for this month on.
   *
   * @param receipt the insert of the receipt of a change from these terms to those; where it finds
   *     one, the change was made before
   * @return the terms now in force
   */
  public Terms cap(
      Partition partition, @Nullable Long hardCap, BiFunction<Terms, Terms, Write> receipt) {
    Terms terms = terms(partition);
    while (!Objects.equals(terms.hardCap(), hardCap)) {
      Terms wanted = new Terms(terms.includedActions(), hardCap);
      Store.Transacted made =
          store.transact(List.of(recap(partition, terms, wanted), receipt.apply(terms, wanted)));
      if (made.done() || made instanceof Store.Transacted.Refused refused && madeBefore(refused)) {
        break;
      }
      // Others change the cap too, or a month is being opened: what is stored now tells.
      terms = terms(partition);
    }
    align(partition, period());
    return terms(partition);
  }

  private static boolean madeBefore(Store.Transacted.Refused refused) {
    return refused.of(0).isEmpty() && refused.of(1).isPresent();
  }

  private static Write recap(Partition partition, Terms before, Terms wanted) {
    Long old = before.hardCap();
    Long hardCap = wanted.hardCap();
    return Write.update(
        termsKey(partition),
        old == null ? Condition.lacks("hard_cap") : equal("hard_cap", old),
        hardCap == null ? Change.remove("hard_cap") : Change.set("hard_cap", hardCap));
  }

  /**
   * Has an open month follow the terms. It looks again after every change, so that of several who
   * change the cap at once the last one to look leaves month and terms agreeing.
   */
  private void align(Partition partition, String period) {
    Key key = key(partition, period);
    while (true) {
      long wanted = terms(partition).ceiling();
      Optional<Item> month = store.get(key);
      long ceiling = month.map(item -> item.whole("ceiling", VAST)).orElse(wanted);
      if (ceiling == wanted) {
        return;
      }
      // Refused means that another was first; the next look tells.
      store.write(
          Write.update(
              key,
              equal("ceiling", ceiling),
              Change.set("ceiling", wanted),
              Change.add("headroom", wanted - ceiling)));
    }
  }

  private static Key key(Partition partition, String period) {
    return new Key(Table.LIMITS, partition.key("allowance"), period);
  }

  private static String countedPartition(Partition partition, String period) {
    return partition.key("allowance-counted#" + period);
  }

  /** Where the terms are kept, for those who read them along with other items. */
  public static Key termsKey(Partition partition) {
    return new Key(Table.LIMITS, partition.key("allowance"), "terms");
  }
}
