package io.actiongovernance.event;

import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Item;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The content collected for a page of a list. Not thread-safe. */
final class EventPage {
  static final int MOST_READ = 2_000;

  /** Size in bytes of an event on a page, without its payload. */
  private static final long OVERHEAD = 1_000;

  private final EventQuery query;
  private final int limit;
  private final long mostBytes;
  private final Instant now;
  private final List<Shown> found = new ArrayList<>();
  private int read;
  private long bytes;
  private boolean more;

  /**
   * Place of the last item examined. In descending order, all remaining items are before {@code
   * before}.
   */
  private Place last = Place.BEGINNING;

  private Place before = Place.BEGINNING;

  EventPage(EventQuery query, int limit, long mostBytes, Instant now) {
    this.query = query;
    this.limit = limit;
    this.mostBytes = mostBytes;
    this.now = now;
  }

  /** A result to show: an entry whose event has not been read yet, or an outcome. */
  private record Shown(@Nullable LogEntry entry, @Nullable OutcomeEvent outcome, Place place) {}

  /** Takes ingested events in the query's order until the page is full. */
  void fill(Positions ingested) {
    for (@Nullable Item item = ingested.peek(); item != null; item = ingested.peek()) {
      Place place = new Place(LogItems.position(item), 0);
      if (query.endsAt(LogItems.at(item), query.isOfEnvelopes()) || !offer(item, false, place)) {
        return;
      }
      ingested.remove();
    }
  }

  /**
   * Takes ingested events and outcomes in their common order until the page is full.
   *
   * @param after exclusive
   * @param upTo inclusive
   */
  void fill(Positions ingested, Positions outcomes, Place after, Place upTo) {
    boolean ascending = query.order() == Order.ASC;
    last = after;
    before = new Place(upTo.position() + 1, upTo.outcomes() + 1);
    while (true) {
      @Nullable Item one = ingested.wanted();
      @Nullable Item other = outcomes.wanted();
      if (one == null && other == null) {
        return;
      }
      boolean ofOutcome = one == null || (other != null && comes(other, one));
      Item item = Objects.requireNonNull(ofOutcome ? other : one);
      Positions from = ofOutcome ? outcomes : ingested;
      if (query.endsAt(LogItems.at(item), ofOutcome || query.isOfEnvelopes())) {
        from.end();
        continue;
      }
      Place place = place(item, ofOutcome, ascending ? last.outcomes() : outcomes.peekPosition());
      if (!offer(item, ofOutcome, ascending ? place.max(last) : place)) {
        return;
      }
      from.remove();
      before =
          ofOutcome
              ? new Place(before.position(), place.outcomes())
              : new Place(place.position(), before.outcomes());
    }
  }

  /** Returns whether the outcome precedes the ingested event in the query's order. */
  private boolean comes(Item outcome, Item ingested) {
    boolean earlier = stand(outcome) < LogItems.position(ingested);
    return earlier == (query.order() == Order.ASC);
  }

  private Place place(Item item, boolean ofOutcome, long outcomesBefore) {
    long position = LogItems.position(item);
    return ofOutcome ? new Place(stand(item), position) : new Place(position, outcomesBefore);
  }

  private long stand(Item outcome) {
    return OutcomePosition.of(outcome).in(query.filter().log());
  }

  /** Takes the next item; false if there is no room for it. */
  private boolean offer(Item item, boolean ofOutcome, Place place) {
    @Nullable Shown offered = ofOutcome ? outcome(item, place) : entry(item, place);
    if (read == MOST_READ || (offered != null && !hasRoomFor(size(offered)))) {
      more = true;
      return false;
    }
    if (offered != null) {
      found.add(offered);
      bytes += size(offered);
    }
    read++;
    last = place;
    return true;
  }

  private @Nullable Shown entry(Item item, Place place) {
    return LogItems.entry(item)
        .filter(query::matches)
        .filter(entry -> isKept(entry.createdAt()))
        .map(entry -> new Shown(entry, null, place))
        .orElse(null);
  }

  private @Nullable Shown outcome(Item item, Place place) {
    return OutcomeItems.entry(query.partition(), item)
        .filter(query::matches)
        .filter(outcome -> isKept(outcome.createdAt()))
        .map(outcome -> new Shown(null, outcome, place))
        .orElse(null);
  }

  private static long size(Shown one) {
    LogEntry entry = one.entry();
    return OVERHEAD + (entry == null ? NewOutcome.MOST_BYTES : entry.bytes());
  }

  private boolean hasRoomFor(long size) {
    return found.isEmpty() || (found.size() < limit && bytes + size <= mostBytes);
  }

  private boolean isKept(Instant createdAt) {
    return now.isBefore(createdAt.plus(Event.RETENTION));
  }

  /**
   * Reads the events of the page.
   *
   * @param head the head of the log at the list's first page
   */
  EventsPage read(EventLoader loader, Place head) {
    List<EventId> ids =
        found.stream().map(Shown::entry).filter(Objects::nonNull).map(LogEntry::eventId).toList();
    Map<EventId, Event> events = loader.load(query.partition(), ids);
    List<EventsPage.Listed> listed = new ArrayList<>();
    for (Shown one : found) {
      LogEntry entry = one.entry();
      @Nullable Logged shown = entry == null ? one.outcome() : events.get(entry.eventId());
      if (shown != null) {
        listed.add(new EventsPage.Listed(shown, cursor(one.place(), entry == null)));
      }
    }
    return new EventsPage(listed, more, next(head));
  }

  private EventCursor cursor(Place place, boolean ofOutcome) {
    return query.filter().includes()
        ? EventCursor.at(place, ofOutcome)
        : EventCursor.at(place.position());
  }

  private EventCursor next(Place head) {
    if (!query.filter().includes()) {
      return more
          ? EventCursor.within(query.order(), last.position(), head.position())
          : EventCursor.end(head.position());
    }
    return more ? EventCursor.within(query.order(), last, before, head) : EventCursor.end(head);
  }
}
