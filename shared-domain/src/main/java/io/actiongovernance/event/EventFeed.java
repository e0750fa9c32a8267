package io.actiongovernance.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One reader that follows a log in its order, missing nothing and repeating nothing, from its place
 * on. Close it when it is no longer read. Not thread-safe.
 */
public final class EventFeed implements AutoCloseable {
  /** Events told at once at most. */
  private static final int LIMIT = 100;

  private final EventQuery query;
  private final EventList list;
  private final LogTail tail;
  private final Runnable closing;
  private Place place;

  EventFeed(EventQuery query, EventList list, LogTail tail, Runnable closing, Place after) {
    this.query = query;
    this.list = list;
    this.tail = tail;
    this.closing = closing;
    this.place = after;
  }

  /**
   * What came next in the log.
   *
   * @param more whether there is more already, so that it is not worth while to pause
   */
  public record Next(List<EventsPage.Listed> events, boolean more) {
    public Next {
      events = List.copyOf(events);
    }
  }

  /** Reads on; does not wait for anything to come. */
  public Next next() {
    Optional<LogTail.Part> part = tail.after(place);
    if (part.isEmpty()) {
      EventsPage page = list.follow(query, LIMIT, place);
      place = list.placeOf(query, page.next());
      return new Next(page.items(), true);
    }
    List<EventsPage.Listed> events = new ArrayList<>();
    for (LogTail.Read read : part.get().entries()) {
      if (matches(read)) {
        events.add(new EventsPage.Listed(read.event(), cursor(read)));
      }
    }
    place = part.get().upTo();
    return new Next(events, false);
  }

  private boolean matches(LogTail.Read read) {
    LogEntry entry = read.entry();
    return read.event() instanceof OutcomeEvent outcome
        ? query.matches(outcome)
        : entry != null && query.matches(entry);
  }

  private EventCursor cursor(LogTail.Read read) {
    return query.filter().includes()
        ? EventCursor.at(read.place(), read.entry() == null)
        : EventCursor.at(read.place().position());
  }

  @Override
  public void close() {
    closing.run();
  }
}
