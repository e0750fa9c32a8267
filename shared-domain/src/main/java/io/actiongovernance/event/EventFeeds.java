package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Reach;
import io.actiongovernance.store.Store;
import io.actiongovernance.time.Sleeper;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens feeds: readers that follow a log as long as they are open (specification, Envelope stream).
 * All feeds of one log in this process share the reads of its newest part. Thread-safe.
 */
public final class EventFeeds {
  private final InstantSource clock;
  private final EventList list;
  private final LogTail.Frontiers frontiers;
  private final EventLoader loader;
  private final Map<Followed, Shared> tails = new HashMap<>();

  public EventFeeds(Store store, InstantSource clock, Sleeper sleeper, EventList list) {
    this.clock = clock;
    this.list = list;
    this.frontiers =
        new LogTail.Frontiers(
            new LogFrontier(store, clock, sleeper), new MergedFrontier(store, clock, sleeper));
    this.loader = new EventLoader(store, clock);
  }

  /** A log, and whether outcomes are read together with it. */
  private record Followed(Log log, boolean includes) {}

  private record Shared(LogTail tail, int feeds) {}

  /**
   * Opens a feed of the entries that the filter admits and the caller may see.
   *
   * @param from the feed begins strictly after it; null for everything that arrives after this call
   */
  public EventFeed open(
      Partition partition, Reach reach, EventFilter filter, @Nullable EventCursor from) {
    EventQuery query = new EventQuery(partition, reach, filter, Order.ASC, null, null);
    Place after = from == null ? list.head(query) : list.placeOf(query, from);
    Followed followed = new Followed(query.log(), filter.includes());
    return new EventFeed(query, list, enter(followed), () -> leave(followed), after);
  }

  private synchronized LogTail enter(Followed followed) {
    Shared shared = tails.get(followed);
    LogTail tail =
        shared == null
            ? new LogTail(followed.log(), followed.includes(), clock, frontiers, loader)
            : shared.tail();
    tails.put(followed, new Shared(tail, shared == null ? 1 : shared.feeds() + 1));
    return tail;
  }

  private synchronized void leave(Followed followed) {
    tails.computeIfPresent(
        followed,
        (_, shared) -> shared.feeds() == 1 ? null : new Shared(shared.tail(), shared.feeds() - 1));
  }
}
