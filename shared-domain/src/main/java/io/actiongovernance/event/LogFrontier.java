package io.actiongovernance.event;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Settled part of a log. Every position up to its end is filled permanently, so that a reader up to
 * there has missed nothing.
 *
 * <p>A hole is a position that was taken and is empty. Its writer may be about to fill it, or may
 * have died. Its minimum age is known without reading it, because the log's time never goes back.
 * The hole was taken no later than the time of a later entry, or of the head if there is no later
 * entry. A hole older than {@link #PATIENCE} is closed with a tombstone. That is an insert like the
 * writer's own, so exactly one of the two gets the position. If clocks disagree, a hole is closed
 * too early or too late, but nothing is lost.
 *
 * <p>The end of the settled part is noted regularly, so that no reader begins far back.
 * Thread-safe.
 */
final class LogFrontier {
  /** Maximum time for which a hole may stay open. */
  static final Duration PATIENCE = Duration.ofSeconds(2);

  /** Number of positions after which the end of the settled part is noted again. */
  static final int NOTED_EVERY = 64;

  private static final Duration POLL = Duration.ofMillis(20);
  private static final int MOST_POLLS = 2 * (int) PATIENCE.dividedBy(POLL);
  private static final int SLICE = 500;
  private static final String POSITION = "position";

  private final Store store;
  private final InstantSource clock;
  private final Sleeper sleeper;

  LogFrontier(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** Returns the current end of the settled part. Closes holes before it that are too old. */
  long settled(Log log) {
    return advance(log, Witness.NONE, 0).position();
  }

  /**
   * The entries of a log between two places.
   *
   * @param after exclusive
   * @param upTo inclusive; settled
   * @param items the entries in their order; a position that is missing has no entry
   */
  record Stretch(long after, long upTo, List<Item> items) {
    Stretch {
      items = List.copyOf(items);
    }
  }

  /**
   * Returns the entries between a settled place and the current end of the settled part. The noted
   * end may be more than {@code most} positions further, if the log has not been followed for long.
   * The entries then begin at the noted end.
   */
  Stretch stretch(Log log, long known, int most) {
    Marks marks = marks(log);
    long after = marks.noted() - known > most ? marks.noted() : known;
    List<Item> items = new ArrayList<>();
    long upTo = advance(log, marks, after, Witness.NONE, items::add).position();
    // If a hole was closed during the read, its writer may have filled it. The entries are then
    // read again.
    boolean holes = items.size() < upTo - after;
    return new Stretch(after, upTo, holes ? read(log, after, upTo) : items);
  }

  private List<Item> read(Log log, long after, long upTo) {
    List<Item> items = new ArrayList<>();
    Query rest = Query.of(Table.EVENTS, LogItems.partition(log)).below(LogItems.range(upTo + 1));
    Slice slice;
    long last = after;
    do {
      slice = store.query(rest.from(LogItems.range(last + 1)).limit(SLICE));
      items.addAll(slice.items());
      last = items.isEmpty() ? upTo : LogItems.position(items.getLast());
    } while (slice.more() && !slice.items().isEmpty());
    return items;
  }

  /**
   * Returns an end of the settled part that includes every entry that existed at this call. Waits
   * for holes before these entries, at most a little longer than {@link #PATIENCE}.
   */
  long settledWithAllThereIs(Log log) {
    Progress progress = advance(log, Witness.NONE, 0);
    if (!progress.blocked()) {
      return progress.position();
    }
    Witness witness = new Witness(newest(log), clock.instant());
    for (int poll = 0; progress.position() < witness.newest() && poll < MOST_POLLS; poll++) {
      sleeper.sleep(POLL);
      progress = advance(log, witness, progress.position());
    }
    return progress.position();
  }

  /**
   * Returns an end of the settled part that includes a position known to be taken. Waits for it, at
   * most a little longer than {@link #PATIENCE}.
   */
  long settledThrough(Log log, long wanted) {
    Witness witness = new Witness(wanted + 1, clock.instant());
    long settled = settled(log);
    for (int poll = 0; settled < wanted && poll < MOST_POLLS; poll++) {
      sleeper.sleep(POLL);
      settled = advance(log, witness, settled).position();
    }
    return settled;
  }

  /**
   * Observation of a waiting reader: at this time, all positions before the newest entry had been
   * taken. The reader therefore waits no longer than {@link #PATIENCE}, even if the log's time is
   * ahead of its clock.
   */
  private record Witness(long newest, Instant by) {
    private static final Witness NONE = new Witness(0, Instant.MAX);

    Instant takenBy(long position, Instant logTime) {
      return position < newest && by.isBefore(logTime) ? by : logTime;
    }
  }

  /**
   * @param blocked whether an entry is beyond a hole that is still too young to close
   */
  private record Progress(long position, boolean blocked) {}

  private Progress advance(Log log, Witness witness, long known) {
    Marks marks = marks(log);
    return advance(log, marks, Math.max(marks.noted(), known), witness, _ -> {});
  }

  /**
   * @param passed receives each item of the settled part
   */
  private Progress advance(
      Log log, Marks marks, long from, Witness witness, Consumer<Item> passed) {
    if (from >= marks.head().position()) {
      return new Progress(from, false);
    }
    Progress progress = walk(log, from, marks.head(), witness, passed);
    if (progress.position() - marks.noted() >= NOTED_EVERY) {
      note(log, progress.position());
    }
    return progress;
  }

  private Progress walk(
      Log log, long from, LogHead.Taken head, Witness witness, Consumer<Item> passed) {
    long settled = from;
    @Nullable Item last = null;
    Slice slice;
    do {
      slice =
          store.query(
              Query.of(Table.EVENTS, LogItems.partition(log))
                  .from(LogItems.range(settled + 1))
                  .limit(SLICE));
      for (Item item : slice.items()) {
        long position = LogItems.position(item);
        Instant at = LogItems.at(item);
        Instant takenBy = witness.takenBy(position - 1, at);
        long closed = closeHoles(log, settled, last, position - 1, at, takenBy);
        if (closed < position - 1) {
          return new Progress(closed, true);
        }
        passed.accept(item);
        last = item;
        settled = position;
      }
    } while (slice.more());
    // For positions beyond the last entry, the head tells which were taken, and by when.
    long seen = Math.min(head.position(), witness.newest() - 1);
    Instant at = head.at();
    long closed = closeHoles(log, settled, last, seen, at, witness.takenBy(seen, at));
    return new Progress(
        closed < seen ? closed : closeHoles(log, closed, null, head.position(), at, at), false);
  }

  /**
   * Closes positions if they are old enough.
   *
   * <p>A tombstone gets the same {@link OutcomePosition} as the position before it. The one of the
   * next position may be no later than that, and it must never go back.
   *
   * @param settled the position before them
   * @param last the item there, null if it was not read
   * @param takenBy when all of them had been taken
   * @return the last position that is filled now
   */
  private long closeHoles(
      Log log, long settled, @Nullable Item last, long to, Instant at, Instant takenBy) {
    if (to <= settled || clock.instant().isBefore(takenBy.plus(PATIENCE))) {
      return settled;
    }
    OutcomePosition stand = last == null ? stand(log, settled) : OutcomePosition.of(last);
    for (long position = settled + 1; position <= to; position++) {
      Write tombstone = Write.insert(LogItems.tombstone(log, position, at, stand));
      switch (store.transact(List.of(tombstone))) {
        case Store.Transacted.Done _ -> {}
        // The writer was quicker; the position is filled either way.
        case Store.Transacted.Refused refused ->
            stand =
                refused.of(0).flatMap(Store.Refusal::found).map(OutcomePosition::of).orElse(stand);
        // The writer is in progress, and may still fail.
        case Store.Transacted.Contended _ -> {
          return position - 1;
        }
      }
    }
    return to;
  }

  /**
   * Returns a position's place among the other logs. The beginning of the log precedes all of them.
   */
  private OutcomePosition stand(Log log, long position) {
    return log.kind() == Log.Kind.OUTCOMES
        ? store
            .get(LogItems.key(log, position))
            .map(OutcomePosition::of)
            .orElse(OutcomePosition.NONE)
        : OutcomePosition.NONE;
  }

  private long newest(Log log) {
    Slice slice =
        store.query(Query.of(Table.EVENTS, LogItems.partition(log)).newestFirst().limit(1));
    return slice.items().isEmpty() ? 0 : LogItems.position(slice.items().getFirst());
  }

  /** The noted end of the settled part, and the head. */
  private record Marks(long noted, LogHead.Taken head) {}

  private Marks marks(Log log) {
    // The head is read before the log, so no position up to it can have been taken later than its
    // time.
    Key noted = noteKey(log);
    long position = 0;
    LogHead.Taken head = LogHead.Taken.NONE;
    for (Item item : store.getAll(List.of(noted, LogHead.key(log)))) {
      if (item.key().equals(noted)) {
        position = item.whole(POSITION, 0);
      } else {
        head = LogHead.taken(item);
      }
    }
    return new Marks(position, head);
  }

  private void note(Log log, long position) {
    store.write(
        Write.update(
            noteKey(log),
            Condition.or(Condition.lacks(POSITION), Condition.less(POSITION, position)),
            Change.set(POSITION, position)));
  }

  private static Key noteKey(Log log) {
    return Key.single(Table.EVENTS, log.key("-settled"));
  }
}
