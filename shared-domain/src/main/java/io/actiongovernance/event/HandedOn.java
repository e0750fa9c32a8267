package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds events that were never handed on for proposing. A table's stream forgets a change after a
 * day, but the log keeps it. The relay marks the position of each event that it has handed on. For
 * each tenant and mode, a row that is due like a schedule has a position up to which every event
 * was handed on. The sweeper reads the log from there.
 *
 * <p>An item holds the marks of {@value #MARKS} positions, so one write unit pays for a mark, and
 * usually for all marks of a batch together. Marks expire. If a mark is lost, its event is handed
 * on twice, but still proposed for once. Thread-safe.
 */
public final class HandedOn {
  /** Age at which an event without a mark counts as missed. A relay normally takes seconds. */
  public static final Duration LATE = Duration.ofMinutes(15);

  /** Time until the next look at a log to which nothing has been written since the last look. */
  private static final Duration IDLE = Duration.ofHours(1);

  /** Time until the next look if this look did not reach the end of the log. */
  private static final Duration BEHIND = Duration.ofMinutes(1);

  /** Age at which marks are deleted. An event whose mark is gone would be handed on again. */
  private static final Duration KEPT = Duration.ofDays(7);

  /** The part of the partition keys of the items with marks that precedes their number. */
  public static final String PART = "envelopes-handed-on";

  private static final int MARKS = 100;

  /** Maximum number of positions that are read in one look. */
  private static final int MOST = 5_000;

  private static final String KIND = "handed_on";

  /** Attribute of an event, and of a row of this class, that names a position of the log. */
  public static final String POSITION = "position";

  private static final String SINCE = "since";

  private final Store store;
  private final InstantSource clock;
  private final LogFrontier frontier;
  private final LogTimes times;

  public HandedOn(Store store, InstantSource clock, Sleeper sleeper) {
    this.store = store;
    this.clock = clock;
    this.frontier = new LogFrontier(store, clock, sleeper);
    this.times = new LogTimes(store);
  }

  /**
   * Returns the write that starts checking the events of a tenant and mode; refused if they are
   * already being checked.
   */
  public static Write begin(Partition partition, Instant now) {
    return Write.insert(
        DueIndex.SCHEDULES
            .enter(
                Item.at(Key.single(Table.STATE, partition.key("handed-on"))),
                partition,
                partition.key(),
                now.plus(LATE))
            .with("kind", KIND)
            .with("id", partition.key())
            .with("partition", partition.key())
            .with(SINCE, now.toEpochMilli())
            .build());
  }

  public static boolean isOne(Item row) {
    return KIND.equals(row.textOrNull("kind"));
  }

  public void mark(Partition partition, Collection<Long> positions) {
    Map<Key, Set<String>> marks = new LinkedHashMap<>();
    for (long position : positions) {
      marks.computeIfAbsent(key(partition, position), _ -> new HashSet<>()).add(mark(position));
    }
    long expires = clock.instant().plus(KEPT).getEpochSecond();
    marks.forEach(
        (key, marked) ->
            store.write(
                Write.update(
                    key,
                    Condition.always(),
                    Change.include(KIND, marked),
                    Change.set(Table.EXPIRES, expires))));
  }

  /**
   * Events that were missed.
   *
   * @param next the write to make once they have been handed on; refused if another look was faster
   */
  public record Missed(Partition partition, List<EventId> events, Write next) {
    public Missed {
      events = List.copyOf(events);
    }
  }

  public Missed missed(Item row) {
    Partition partition = Partition.parse(row.text("partition"));
    Log log = Log.of(partition, Log.Kind.ENVELOPES);
    Instant now = clock.instant();
    long settled = frontier.settled(log);
    long after = row.has(POSITION) ? row.whole(POSITION, 0) : start(log, row, settled);
    long end = Math.min(settled, after + MOST);
    Positions positions =
        new Positions(
            store,
            Order.ASC,
            List.of(
                new Positions.Part(Query.of(Table.EVENTS, LogItems.partition(log)), after, end)));
    List<LogEntry> entries = new ArrayList<>();
    long upTo = after;
    @Nullable Item item = positions.peek();
    while (item != null && !LogItems.at(item).isAfter(now.minus(LATE))) {
      LogItems.entry(item).ifPresent(entries::add);
      upTo = LogItems.position(item);
      positions.remove();
      item = positions.peek();
    }
    if (item == null) {
      upTo = end;
    }
    Duration pause = upTo < settled && item == null ? BEHIND : settled > after ? LATE : IDLE;
    Write next =
        Write.update(
            row.key(),
            DueIndex.unmoved(row),
            Change.set(POSITION, upTo),
            DueIndex.move(partition, row.text("id"), now.plus(pause)));
    return new Missed(partition, unmarked(partition, entries), next);
  }

  /** Returns the last position before the row was made. */
  private long start(Log log, Item row, long settled) {
    return times.lastBefore(
        log, Instant.ofEpochMilli(row.whole(SINCE, 0)).minus(LogFrontier.PATIENCE), settled);
  }

  private List<EventId> unmarked(Partition partition, List<LogEntry> entries) {
    List<Key> keys =
        entries.stream().map(entry -> key(partition, entry.position())).distinct().toList();
    Map<Key, Set<String>> marks = new HashMap<>();
    for (Item item : keys.isEmpty() ? List.<Item>of() : store.getAll(keys)) {
      marks.put(item.key(), item.texts(KIND));
    }
    return entries.stream()
        .filter(
            entry ->
                !marks
                    .getOrDefault(key(partition, entry.position()), Set.of())
                    .contains(mark(entry.position())))
        .map(LogEntry::eventId)
        .toList();
  }

  private static Key key(Partition partition, long position) {
    return Key.single(Table.EVENTS, partition.key(PART) + "#" + position / MARKS);
  }

  private static String mark(long position) {
    return Long.toString(position % MARKS);
  }
}
