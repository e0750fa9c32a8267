package io.actiongovernance.event;

import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Item;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The newest part of one log, read once for all its followers in this process. If the last read is
 * older than {@link #FRESH}, a caller that asks continues the read; the others wait for it or take
 * what is there. It remembers a bounded number of the last entries. A reader that is further behind
 * reads the log itself. Thread-safe.
 */
final class LogTail {
  /** Maximum age of the entries that are returned. */
  static final Duration FRESH = Duration.ofMillis(200);

  static final int MOST_ENTRIES = 500;

  /** Maximum size of the payloads that are remembered, in bytes, unless a single entry has more. */
  static final long MOST_BYTES = 2_000_000;

  /** Number of entries whose events are read at once. */
  private static final int SLICE = 100;

  private final Log log;
  private final boolean includes;
  private final InstantSource clock;
  private final LogFrontier frontier;
  private final MergedFrontier merged;
  private final EventLoader loader;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Read> remembered = new ArrayDeque<>();
  private long bytes;

  /** Every position after this place and up to {@link #upTo} is remembered or has no entry. */
  private Place after = Place.BEGINNING;

  private Place upTo = Place.BEGINNING;
  private @Nullable Instant readAt;

  /**
   * @param includes whether outcomes are read together with the log
   */
  LogTail(Log log, boolean includes, InstantSource clock, Frontiers frontiers, EventLoader loader) {
    this.log = log;
    this.includes = includes;
    this.clock = clock;
    this.frontier = frontiers.one();
    this.merged = frontiers.merged();
    this.loader = loader;
  }

  record Frontiers(LogFrontier one, MergedFrontier merged) {}

  /**
   * An entry of the log and its event, or an outcome.
   *
   * @param entry null for an outcome
   * @param place the place from which a reader continues after it
   */
  record Read(@Nullable LogEntry entry, Logged event, Place place) {
    /** Returns whether a reader at this place has not seen the entry yet. */
    boolean isAfter(Place reader) {
      return entry == null
          ? place.outcomes() > reader.outcomes()
          : place.position() > reader.position();
    }

    long bytes() {
      return entry == null ? NewOutcome.MOST_BYTES : entry.bytes();
    }
  }

  /** The entries between a place and a later one. */
  record Part(List<Read> entries, Place upTo) {}

  /** Returns the entries after the place; empty if the place is further back than is remembered. */
  Optional<Part> after(Place place) {
    lock.lock();
    try {
      if (isStale()) {
        readOn();
      }
      if (place.position() < after.position() || place.outcomes() < after.outcomes()) {
        return Optional.empty();
      }
      List<Read> entries = remembered.stream().filter(read -> read.isAfter(place)).toList();
      return Optional.of(new Part(entries, place.max(upTo)));
    } finally {
      lock.unlock();
    }
  }

  private boolean isStale() {
    Instant now = clock.instant();
    // A clock that was set back must not stop the reading.
    return readAt == null || now.isBefore(readAt) || !now.isBefore(readAt.plus(FRESH));
  }

  private void readOn() {
    if (readAt == null) {
      // Entries before the first request are left to other readers.
      upTo = includes ? merged.settled(log) : new Place(frontier.settled(log), 0);
      after = upTo;
    } else {
      MergedFrontier.Stretch stretch = stretch();
      if (!stretch.after().equals(upTo)) {
        // Nobody has asked for a long time.
        forget();
        after = stretch.after();
        upTo = after;
      }
      List<Item> items = stretch.ingested();
      Deque<Item> outcomes = new ArrayDeque<>(stretch.outcomes());
      for (int from = 0; from < items.size(); from += SLICE) {
        remember(items.subList(from, Math.min(from + SLICE, items.size())), outcomes);
      }
      remember(outcomes, Long.MAX_VALUE);
      forgetOldest();
      upTo = stretch.upTo();
    }
    readAt = clock.instant();
  }

  private MergedFrontier.Stretch stretch() {
    if (includes) {
      return merged.stretch(log, upTo, MOST_ENTRIES);
    }
    LogFrontier.Stretch one = frontier.stretch(log, upTo.position(), MOST_ENTRIES);
    return new MergedFrontier.Stretch(
        new Place(one.after(), 0), new Place(one.upTo(), 0), one.items(), List.of());
  }

  private void remember(List<Item> items, Deque<Item> outcomes) {
    List<LogEntry> entries = new ArrayList<>();
    items.forEach(item -> LogItems.entry(item).ifPresent(entries::add));
    Map<EventId, Event> events =
        loader.load(log.partition(), entries.stream().map(LogEntry::eventId).toList());
    for (LogEntry entry : entries) {
      remember(outcomes, entry.position());
      @Nullable Event event = events.get(entry.eventId());
      if (event != null) {
        remember(new Read(entry, event, new Place(entry.position(), upTo.outcomes())));
      }
      upTo = upTo.max(new Place(entry.position(), 0));
    }
    upTo = upTo.max(new Place(LogItems.position(items.getLast()), 0));
    forgetOldest();
  }

  /** Remembers the outcomes whose place is before a position of the log. */
  private void remember(Deque<Item> outcomes, long position) {
    while (!outcomes.isEmpty()
        && OutcomePosition.of(outcomes.getFirst()).in(log.kind()) < position) {
      Item item = outcomes.remove();
      upTo = upTo.max(new Place(0, LogItems.position(item)));
      OutcomeItems.entry(log.partition(), item)
          .ifPresent(
              outcome ->
                  remember(
                      new Read(
                          null,
                          outcome,
                          new Place(outcome.slot().stand().in(log.kind()), upTo.outcomes()))));
    }
  }

  private void remember(Read read) {
    remembered.add(read);
    bytes += read.bytes();
  }

  private void forgetOldest() {
    while (remembered.size() > MOST_ENTRIES || (bytes > MOST_BYTES && remembered.size() > 1)) {
      Read oldest = remembered.remove();
      bytes -= oldest.bytes();
      after = after.max(oldest.place());
    }
  }

  private void forget() {
    remembered.clear();
    bytes = 0;
  }
}
