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
 * The young end of one log, read once for however many follow it in this process. Whoever asks when
 * what was last read is older than {@link #FRESH} reads on; the others wait for it or take what
 * there is. It remembers the last entries within bounds; a reader that is further behind reads for
 * itself. Thread-safe.
 */
final class LogTail {
  /** How old what is told may be. */
  static final Duration FRESH = Duration.ofMillis(200);

  /** Entries remembered at most. */
  static final int MOST_ENTRIES = 500;

  /** Bytes of payload remembered at most, unless a single one has more. */
  static final long MOST_BYTES = 2_000_000;

  /** Entries whose events are read at once. */
  private static final int SLICE = 100;

  private final Log log;
  private final InstantSource clock;
  private final LogFrontier frontier;
  private final EventLoader loader;

  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Read> remembered = new ArrayDeque<>();
  private long bytes;

  /** Every position beyond this and up to {@link #upTo} is remembered or holds nothing. */
  private long after;

  private long upTo;
  private @Nullable Instant readAt;

  LogTail(Log log, InstantSource clock, LogFrontier frontier, EventLoader loader) {
    this.log = log;
    this.clock = clock;
    this.frontier = frontier;
    this.loader = loader;
  }

  /** An entry of the log, and its event. */
  record Read(LogEntry entry, Event event) {}

  /** What follows a position, up to another one. */
  record Part(List<Read> entries, long upTo) {}

  /** What follows the position; empty if that is further back than it remembers. */
  Optional<Part> after(long position) {
    lock.lock();
    try {
      if (isStale()) {
        readOn();
      }
      if (position < after) {
        return Optional.empty();
      }
      List<Read> entries =
          remembered.stream().filter(read -> read.entry().position() > position).toList();
      return Optional.of(new Part(entries, Math.max(position, upTo)));
    } finally {
      lock.unlock();
    }
  }

  private boolean isStale() {
    Instant now = clock.instant();
    // A clock that was set back must not stop it.
    return readAt == null || now.isBefore(readAt) || !now.isBefore(readAt.plus(FRESH));
  }

  private void readOn() {
    if (readAt == null) {
      // What came before it was first asked is for others to read.
      upTo = frontier.settled(log);
      after = upTo;
    } else {
      LogFrontier.Stretch stretch = frontier.stretch(log, upTo, MOST_ENTRIES);
      if (stretch.after() > upTo) {
        // Nobody has asked for a long time.
        forget();
        after = stretch.after();
        upTo = after;
      }
      List<Item> items = stretch.items();
      for (int from = 0; from < items.size(); from += SLICE) {
        List<Item> slice = items.subList(from, Math.min(from + SLICE, items.size()));
        remember(slice);
        upTo = LogItems.position(slice.getLast());
      }
      upTo = stretch.upTo();
    }
    readAt = clock.instant();
  }

  private void remember(List<Item> items) {
    List<LogEntry> entries = new ArrayList<>();
    items.forEach(item -> LogItems.entry(item).ifPresent(entries::add));
    Map<EventId, Event> events =
        loader.load(log.partition(), entries.stream().map(LogEntry::eventId).toList());
    for (LogEntry entry : entries) {
      @Nullable Event event = events.get(entry.eventId());
      if (event != null) {
        remembered.add(new Read(entry, event));
        bytes += entry.bytes();
      }
    }
    while (remembered.size() > MOST_ENTRIES || (bytes > MOST_BYTES && remembered.size() > 1)) {
      Read oldest = remembered.remove();
      bytes -= oldest.entry().bytes();
      after = oldest.entry().position();
    }
  }

  private void forget() {
    remembered.clear();
    bytes = 0;
  }
}
