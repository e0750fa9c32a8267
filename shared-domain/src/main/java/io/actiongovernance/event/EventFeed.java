package io.actiongovernance.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A reader that follows a log in its order from its place on, without gaps or repetitions. Close it
 * when it is no longer needed. Not thread-safe.
 */
public final class EventFeed implements AutoCloseable {
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
   * The next part of the log.
   *
   * @param more whether more entries are already available, so that a pause would only delay them
   */
  public record Next(List<EventsPage.Listed> events, boolean more) {
    public Next {
      events = List.copyOf(events);
    }
  }

  /** Reads on, without waiting for new events. */
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
