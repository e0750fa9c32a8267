package io.actiongovernance.event;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Hands out the positions of a log, 1, 2, 3, …, each once, together with the log's time.
 *
 * <p>The log's time is the clock of the writer that takes a position, except that it never goes
 * back. A writer whose clock is behind takes the time of the position before. The order of the log
 * is therefore also the order of time, and a time can be found by binary search.
 *
 * <p>The head is one item for each log, and is changed only by single plain updates. It never
 * expires; otherwise positions would restart while cursors still name the old ones. Thread-safe.
 */
final class LogHead {
  private static final String POSITION = "position";
  private static final String AT = "at";

  private final Store store;
  private final InstantSource clock;

  LogHead(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /**
   * A position, and the log's time when it was taken.
   *
   * @param stand its place among the other logs; only for outcomes
   */
  record Taken(long position, Instant at, OutcomePosition stand) {
    static final Taken NONE = new Taken(0, Instant.EPOCH);

    Taken(long position, Instant at) {
      this(position, at, OutcomePosition.NONE);
    }
  }

  /** Takes the next position for the caller alone. If the caller never fills it, it is a hole. */
  Taken take(Log log) {
    Key key = key(log);
    long now = clock.millis();
    Condition notBehind = Condition.or(Condition.lacks(AT), Condition.atMost(AT, now));
    return switch (store.write(
        Write.update(key, notBehind, Change.add(POSITION, 1), Change.set(AT, now)))) {
      case Store.Written.Done(var after) -> taken(after.orElseThrow());
      case Store.Written.Refused _ -> takeBehind(key);
    };
  }

  private Taken takeBehind(Key key) {
    return switch (store.write(Write.update(key, Condition.has(AT), Change.add(POSITION, 1)))) {
      case Store.Written.Done(var after) -> taken(after.orElseThrow());
      case Store.Written.Refused _ ->
          throw new IllegalStateException("The log's head is gone: " + key);
    };
  }

  static Key key(Log log) {
    return Key.single(Table.EVENTS, log.key("-head"));
  }

  static Taken taken(Item head) {
    return new Taken(
        head.whole(POSITION, 0), Instant.ofEpochMilli(head.whole(AT, 0)), OutcomePosition.of(head));
  }
}
