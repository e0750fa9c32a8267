package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Lists events (contract, section 7). A list covers the log as of its first page. Its last cursor
 * names the head of that log. An {@code asc} list from that cursor yields exactly the later events,
 * without gap or overlap.
 *
 * <p>Filters with exact values use the indexes, but only for entries older than {@link #INDEX_LAG}.
 * An index follows the log with a delay; an entry missing from it would be neither in the list nor
 * after its last cursor. Newer entries are read from the log itself. The rest of a filter is
 * applied to the entries that were read, at most {@value #MOST_READ} for a page. So a page may hold
 * fewer events than requested, although more follow.
 *
 * <p>If the filter includes outcomes, they are read from their own log at the same time.
 *
 * <p>Thread-safe.
 */
public final class EventList {
  /** Maximum delay of an index behind the log; in practice it is less than a second. */
  static final Duration INDEX_LAG = Duration.ofMinutes(1);

  static final int MOST_READ = EventPage.MOST_READ;

  /**
   * Maximum size of the payloads on one page, in bytes. When encoded, they stay within a function's
   * 6 MB.
   */
  static final long MOST_BYTES = 4_500_000;

  /**
   * Maximum size of the payloads on a stream's page, in bytes. Many such pages may exist at once.
   */
  static final long MOST_FOLLOWED_BYTES = 500_000;

  /** A shorter range is read at once, because finding where an index ends would take longer. */
  private static final int SHORT = 128;

  private final Store store;
  private final InstantSource clock;
  private final LogFrontier frontier;
  private final MergedFrontier merged;
  private final LogTimes times;
  private final EventLoader loader;

  public EventList(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.merged = new MergedFrontier(store, clock, sleeper);
    this.times = new LogTimes(store);
    this.loader = new EventLoader(store, clock);
  }

  /**
   * Returns a page of a list.
   *
   * @param cursor where it begins; null for the end of the log at which the order begins
   */
  public EventsPage list(EventQuery query, int limit, @Nullable EventCursor cursor) {
    Range range =
        switch (query.order()) {
          case ASC -> ascending(query, cursor);
          case DESC -> descending(query, cursor);
        };
    return page(query, range, segments(query, range), limit, MOST_BYTES);
  }

  /**
   * Returns the entries after a place, as far as the log is settled. Unlike a list, it need not
   * wait for writers in progress, because the reader asks again for the rest. Its pages are small.
   */
  EventsPage follow(EventQuery query, int limit, Place after) {
    Place settled = settled(query).max(after);
    Range range = new Range(after, settled, settled);
    List<Segment> segments =
        settled.position() - after.position() <= SHORT
            ? List.of(new Segment(null, after.position(), settled.position()))
            : segments(query, range);
    return page(query, range, segments, limit, MOST_FOLLOWED_BYTES);
  }

  private Place settled(EventQuery query) {
    return query.filter().includes()
        ? merged.settled(query.log())
        : new Place(frontier.settled(query.log()), 0);
  }

  /**
   * Returns the head of the log. It is after every event that was acknowledged before this call.
   */
  Place head(EventQuery query) {
    return query.filter().includes()
        ? merged.settledWithAllThereIs(query.log())
        : new Place(frontier.settledWithAllThereIs(query.log()), 0);
  }

  /** Returns a cursor's place in both logs. */
  Place placeOf(EventQuery query, EventCursor cursor) {
    return new Place(
        cursor.position(),
        outcomes(query, cursor, EventCursor.OfOutcomes::position, cursor.position() + 1));
  }

  /**
   * Returns the cursor's position among the outcomes. If the cursor has none, returns the last
   * outcome before {@code position}.
   */
  private long outcomes(
      EventQuery query,
      EventCursor cursor,
      ToLongFunction<EventCursor.OfOutcomes> said,
      long position) {
    EventCursor.OfOutcomes outcomes = cursor.outcomes();
    if (!query.filter().includes()) {
      return 0;
    }
    return outcomes == null ? merged.before(query.log(), position) : said.applyAsLong(outcomes);
  }

  private EventsPage page(
      EventQuery query, Range range, List<Segment> segments, int limit, long mostBytes) {
    Positions ingested =
        new Positions(
            store,
            query.order(),
            segments.stream()
                .map(one -> new Positions.Part(from(query, one.lookup()), one.after(), one.upTo()))
                .toList());
    EventPage page = new EventPage(query, limit, mostBytes, clock.instant());
    if (query.filter().includes()) {
      Query log = Query.of(Table.EVENTS, LogItems.partition(OutcomeItems.log(query.partition())));
      Positions outcomes =
          new Positions(
              store,
              query.order(),
              List.of(new Positions.Part(log, range.after().outcomes(), range.upTo().outcomes())));
      page.fill(ingested, outcomes, range.after(), range.upTo());
    } else {
      page.fill(ingested);
    }
    return page.read(loader, range.head());
  }

  /**
   * The part of a list that remains to be read.
   *
   * @param after exclusive
   * @param upTo inclusive
   * @param head the head of the log at the list's first page
   */
  private record Range(Place after, Place upTo, Place head) {}

  private Range ascending(EventQuery query, @Nullable EventCursor cursor) {
    if (cursor != null && cursor.continues(Order.ASC)) {
      Place head =
          new Place(
              cursor.head(),
              outcomes(query, cursor, EventCursor.OfOutcomes::head, cursor.head() + 1));
      return new Range(placeOf(query, cursor), head, head);
    }
    Place settled = head(query);
    Place from = cursor == null ? Place.BEGINNING : placeOf(query, cursor);
    Instant since = query.since();
    Place older = since == null ? Place.BEGINNING : lastBefore(query, since, settled);
    return new Range(from.max(older), settled, settled.max(from));
  }

  private Range descending(EventQuery query, @Nullable EventCursor cursor) {
    if (cursor != null && cursor.continues(Order.DESC)) {
      Place head =
          new Place(
              cursor.head(),
              outcomes(query, cursor, EventCursor.OfOutcomes::head, cursor.head() + 1));
      return new Range(Place.BEGINNING, before(query, cursor), head);
    }
    Place settled = head(query);
    Place head = cursor == null ? settled : placeOf(query, cursor);
    Place upTo = cursor == null ? settled : min(settled, before(query, cursor));
    Instant until = query.until();
    if (until != null) {
      Place older = lastBefore(query, until, settled);
      upTo =
          new Place(
              query.isOfEnvelopes() ? Math.min(upTo.position(), older.position()) : upTo.position(),
              Math.min(upTo.outcomes(), older.outcomes()));
    }
    return new Range(Place.BEGINNING, upTo, head);
  }

  private Place before(EventQuery query, EventCursor cursor) {
    return new Place(
        cursor.before() - 1, outcomes(query, cursor, one -> one.before() - 1, cursor.before()));
  }

  private static Place min(Place one, Place other) {
    return new Place(
        Math.min(one.position(), other.position()), Math.min(one.outcomes(), other.outcomes()));
  }

  private Place lastBefore(EventQuery query, Instant instant, Place settled) {
    return new Place(
        times.lastBefore(query.log(), instant, settled.position()),
        query.filter().includes()
            ? times.lastBefore(OutcomeItems.log(query.partition()), instant, settled.outcomes())
            : 0);
  }

  /** An index and the value to look up in it. */
  private record Lookup(String index, String value) {}

  /**
   * A part of a range. It is read from an index, or from the log itself if {@code lookup} is null.
   */
  private record Segment(@Nullable Lookup lookup, long after, long upTo) {}

  private List<Segment> segments(EventQuery query, Range range) {
    @Nullable Lookup lookup = lookup(query);
    long after = range.after().position();
    long upTo = range.upTo().position();
    if (lookup == null || upTo <= after) {
      return List.of(new Segment(null, after, upTo));
    }
    Instant indexed = clock.instant().minus(INDEX_LAG);
    long border = times.lastBefore(query.log(), indexed, upTo);
    Segment old = new Segment(lookup, after, Math.min(upTo, border));
    Segment young = new Segment(null, Math.max(after, border), upTo);
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
    @Nullable String type = filter.exactType();
    if (type != null) {
      return new Lookup(LogItems.BY_TYPE, type);
    }
    @Nullable String workspace =
        filter.workspaceId() == null ? query.reach().workspaceId() : filter.workspaceId();
    return workspace == null ? null : new Lookup(LogItems.BY_WORKSPACE, workspace);
  }

  private static Query from(EventQuery query, @Nullable Lookup lookup) {
    Partition partition = query.partition();
    return lookup == null
        ? Query.of(Table.EVENTS, LogItems.partition(query.log()))
        : Query.of(
            Table.EVENTS,
            lookup.index(),
            LogItems.index(partition, lookup.index(), lookup.value()));
  }
}
