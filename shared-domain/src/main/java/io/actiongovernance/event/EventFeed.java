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
  private long position;

  EventFeed(EventQuery query, EventList list, LogTail tail, Runnable closing, long after) {
    this.query = query;
    this.list = list;
    this.tail = tail;
    this.closing = closing;
    this.position = after;
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
    Optional<LogTail.Part> part = tail.after(position);
    if (part.isEmpty()) {
      EventsPage page = list.follow(query, LIMIT, position);
      position = page.next().position();
      return new Next(page.items(), true);
    }
    List<EventsPage.Listed> events = new ArrayList<>();
    for (LogTail.Read read : part.get().entries()) {
      if (query.matches(read.entry())) {
        events.add(new EventsPage.Listed(read.event(), EventCursor.at(read.entry().position())));
      }
    }
    position = part.get().upTo();
    return new Next(events, false);
  }

  @Override
  public void close() {
    closing.run();
  }
}
