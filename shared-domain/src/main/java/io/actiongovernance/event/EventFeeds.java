package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens feeds: readers that follow a log for as long as they are open (specification, Envelope
 * stream). All feeds of one log in this process share what they read of its young end. Thread-safe.
 */
public final class EventFeeds {
  private final InstantSource clock;
  private final EventList list;
  private final LogFrontier frontier;
  private final EventLoader loader;
  private final Map<Log, Shared> tails = new HashMap<>();

  public EventFeeds(Store store, InstantSource clock, Sleeper sleeper, EventList list) {
    this.clock = clock;
    this.list = list;
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.loader = new EventLoader(store, clock);
  }

  private record Shared(LogTail tail, int feeds) {}

  /**
   * A feed of what the filter lets through and the caller may see.
   *
   * @param pin the workspace that the caller's key is pinned to, or null
   * @param from what it begins strictly after; null for now: with what comes in after this call
   */
  public EventFeed open(
      Partition partition, @Nullable String pin, EventFilter filter, @Nullable EventCursor from) {
    EventQuery query = new EventQuery(partition, pin, filter, Order.ASC, null, null);
    long after = from == null ? list.head(query) : from.position();
    return new EventFeed(query, list, enter(query.log()), () -> leave(query.log()), after);
  }

  private synchronized LogTail enter(Log log) {
    Shared shared = tails.get(log);
    LogTail tail = shared == null ? new LogTail(log, clock, frontier, loader) : shared.tail();
    tails.put(log, new Shared(tail, shared == null ? 1 : shared.feeds() + 1));
    return tail;
  }

  private synchronized void leave(Log log) {
    tails.computeIfPresent(
        log,
        (_, shared) -> shared.feeds() == 1 ? null : new Shared(shared.tail(), shared.feeds() - 1));
  }
}
