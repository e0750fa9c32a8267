package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.policy.Glob;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lists events (contract, section 7). A list covers the log as it stood at its first page; its last
 * cursor names that head, and a list in {@code asc} from there yields exactly what came later: no
 * gap, no overlap.
 *
 * <p>Filters with exact values are read from the indexes, but only for what is older than {@link
 * #INDEX_LAG}: an index follows the log with a delay, and what it did not yet hold would be in
 * neither the list nor what comes after its last cursor. The younger part is read from the log
 * itself. What is left of a filter is applied to what was read, at most {@value #MOST_READ} entries
 * for a page: it may then hold fewer events than asked for, with more to come.
 *
 * <p>Thread-safe.
 */
public final class EventList {
  /** How far an index may be behind the log; in practice it is less than a second. */
  static final Duration INDEX_LAG = Duration.ofMinutes(1);

  /** Entries looked at for one page. */
  static final int MOST_READ = 2_000;

  /** Bytes of payload on one page, unless a single one has more. */
  static final long MOST_BYTES = 5_000_000;

  /** The same of a page for a stream, of which there may be many at once. */
  static final long MOST_FOLLOWED_BYTES = 500_000;

  /** What an event costs on a page beside its payload. */
  private static final long OVERHEAD = 1_000;

  private static final int SLICE = 128;

  private final Store store;
  private final InstantSource clock;
  private final LogFrontier frontier;
  private final LogTimes times;
  private final EventLoader loader;

  public EventList(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.times = new LogTimes(store);
    this.loader = new EventLoader(store, clock);
  }

  /**
   * A page of a list.
   *
   * @param cursor where it begins, or null for the log's end that the order begins with
   */
  public EventsPage list(EventQuery query, int limit, @Nullable EventCursor cursor) {
    Range range =
        switch (query.order()) {
          case ASC -> ascending(query, cursor);
          case DESC -> descending(query, cursor);
        };
    return page(
        query,
        segments(query, range),
        range.head(),
        new Gathered(query, limit, MOST_BYTES, clock.instant()));
  }

  /**
   * What comes after a position, as far as the log is settled: for a reader that comes again for
   * the rest and so, unlike a list, need not wait for writers that are at it. Its pages are small.
   */
  EventsPage follow(EventQuery query, int limit, long after) {
    long settled = Math.max(after, frontier.settled(query.log()));
    // What is short is read at once: to look for where an index ends would take longer.
    List<Segment> segments =
        settled - after <= SLICE
            ? List.of(new Segment(null, after, settled))
            : segments(query, new Range(after, settled, settled));
    return page(
        query, segments, settled, new Gathered(query, limit, MOST_FOLLOWED_BYTES, clock.instant()));
  }

  /** The head of the log: after every event that was acknowledged before this was called. */
  long head(EventQuery query) {
    return frontier.settledWithAllThereIs(query.log());
  }

  private EventsPage page(EventQuery query, List<Segment> segments, long head, Gathered gathered) {
    for (Segment segment : segments) {
      if (!read(query, segment, gathered)) {
        break;
      }
    }
    EventCursor next =
        gathered.more
            ? EventCursor.within(query.order(), gathered.last, head)
            : EventCursor.end(head);
    return new EventsPage(load(query.partition(), gathered.entries), gathered.more, next);
  }

  /**
   * The positions that are left to a list.
   *
   * @param after exclusive
   * @param upTo inclusive
   * @param head the head of the log at the list's first page
   */
  private record Range(long after, long upTo, long head) {}

  private Range ascending(EventQuery query, @Nullable EventCursor cursor) {
    if (cursor != null && cursor.continues(Order.ASC)) {
      return new Range(cursor.position(), cursor.head(), cursor.head());
    }
    long settled = frontier.settledWithAllThereIs(query.log());
    long from = cursor == null ? 0 : cursor.position();
    long head = Math.max(settled, from);
    Instant since = query.since();
    long older = since == null ? 0 : times.lastBefore(query.log(), since, settled);
    return new Range(Math.max(from, older), settled, head);
  }

  private Range descending(EventQuery query, @Nullable EventCursor cursor) {
    if (cursor != null && cursor.continues(Order.DESC)) {
      return new Range(0, cursor.before() - 1, cursor.head());
    }
    long settled = frontier.settledWithAllThereIs(query.log());
    long head = cursor == null ? settled : cursor.position();
    long upTo = cursor == null ? settled : Math.min(settled, cursor.before() - 1);
    Instant until = query.until();
    if (until != null && query.isOfEnvelopes()) {
      upTo = Math.min(upTo, times.lastBefore(query.log(), until, settled));
    }
    return new Range(0, upTo, head);
  }

  /** Where an index is to be read. */
  private record Lookup(String index, String value) {}

  /** A part of a range, read from an index or, where that is null, from the log itself. */
  private record Segment(@Nullable Lookup lookup, long after, long upTo) {}

  private List<Segment> segments(EventQuery query, Range range) {
    @Nullable Lookup lookup = lookup(query);
    if (lookup == null || range.upTo() <= range.after()) {
      return List.of(new Segment(null, range.after(), range.upTo()));
    }
    Instant indexed = clock.instant().minus(INDEX_LAG);
    long border = times.lastBefore(query.log(), indexed, range.upTo());
    Segment old = new Segment(lookup, range.after(), Math.min(range.upTo(), border));
    Segment young = new Segment(null, Math.max(range.after(), border), range.upTo());
    return query.order() == Order.ASC ? List.of(old, young) : List.of(young, old);
  }

  private static @Nullable Lookup lookup(EventQuery query) {
    EventFilter filter = query.filter();
    if (filter.entity() != null) {
      return new Lookup(LogItems.BY_ENTITY, filter.entity());
    }
    if (filter.source() != null) {
      return new Lookup(LogItems.BY_SOURCE, filter.source());
    }
    Glob type = filter.eventType();
    if (type != null && type.isExact()) {
      return new Lookup(LogItems.BY_TYPE, type.toString());
    }
    String workspace = filter.workspaceId() == null ? query.pin() : filter.workspaceId();
    return workspace == null ? null : new Lookup(LogItems.BY_WORKSPACE, workspace);
  }

  /** Reads a segment in the query's order; false if the page is full before its end. */
  private boolean read(EventQuery query, Segment segment, Gathered gathered) {
    long after = segment.after();
    long upTo = segment.upTo();
    while (after < upTo) {
      Slice slice = store.query(slice(query, segment.lookup(), after, upTo));
      for (Item item : slice.items()) {
        if (!gathered.offer(item)) {
          return false;
        }
      }
      if (!slice.more() || slice.items().isEmpty()) {
        return true;
      }
      long last = LogItems.position(slice.items().getLast());
      switch (query.order()) {
        case ASC -> after = last;
        case DESC -> upTo = last - 1;
      }
    }
    return true;
  }

  private static Query slice(EventQuery query, @Nullable Lookup lookup, long after, long upTo) {
    Partition partition = query.partition();
    Query all =
        lookup == null
            ? Query.of(Table.EVENTS, LogItems.partition(query.log()))
            : Query.of(
                Table.EVENTS,
                lookup.index(),
                LogItems.index(partition, lookup.index(), lookup.value()));
    Query bounded =
        all.from(LogItems.range(after + 1)).below(LogItems.range(upTo + 1)).limit(SLICE);
    return query.order() == Order.ASC ? bounded : bounded.newestFirst();
  }

  /** What a page holds so far. */
  private static final class Gathered {
    private final EventQuery query;
    private final int limit;
    private final long mostBytes;
    private final Instant now;
    private final List<LogEntry> entries = new ArrayList<>();
    private int read;
    private long bytes;
    private long last;
    private boolean more;

    Gathered(EventQuery query, int limit, long mostBytes, Instant now) {
      this.query = query;
      this.limit = limit;
      this.mostBytes = mostBytes;
      this.now = now;
    }

    /**
     * Takes the next item of the log in the query's order; false if there is nothing more to look
     * for.
     */
    boolean offer(Item item) {
      if (query.endsAt(LogItems.at(item))) {
        return false;
      }
      @Nullable LogEntry entry =
          LogItems.entry(item).filter(query::matches).filter(this::isKept).orElse(null);
      if (read == MOST_READ || (entry != null && !hasRoomFor(entry))) {
        more = true;
        return false;
      }
      if (entry != null) {
        entries.add(entry);
        bytes += entry.bytes() + OVERHEAD;
      }
      read++;
      last = LogItems.position(item);
      return true;
    }

    private boolean hasRoomFor(LogEntry entry) {
      return entries.isEmpty()
          || (entries.size() < limit && bytes + entry.bytes() + OVERHEAD <= mostBytes);
    }

    private boolean isKept(LogEntry entry) {
      return now.isBefore(entry.createdAt().plus(Event.RETENTION));
    }
  }

  private List<EventsPage.Listed> load(Partition partition, List<LogEntry> entries) {
    List<EventId> ids = entries.stream().map(LogEntry::eventId).toList();
    Map<EventId, Event> events = loader.load(partition, ids);
    List<EventsPage.Listed> listed = new ArrayList<>();
    for (LogEntry entry : entries) {
      @Nullable Event event = events.get(entry.eventId());
      if (event != null) {
        listed.add(new EventsPage.Listed(event, EventCursor.at(entry.position())));
      }
    }
    return listed;
  }
}
