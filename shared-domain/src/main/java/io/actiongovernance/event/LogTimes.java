package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Finds positions in the log by the log's time, which never goes back from one position to the
 * next. It doubles its steps down from the head, then bisects. For a position {@code n} entries
 * below the head, it reads about 2 log₂ n items, one at a time. Thread-safe.
 */
final class LogTimes {
  private final Store store;

  LogTimes(Store store) {
    this.store = store;
  }

  /**
   * Returns the last position up to {@code settled} whose time is before the instant; 0 if there is
   * none.
   */
  long lastBefore(Log log, Instant instant, long settled) {
    return last(log, item -> LogItems.at(item).isBefore(instant), settled);
  }

  /**
   * Returns the last position up to {@code settled} that matches; 0 if there is none. If the
   * predicate matches a position, it must match every position before it too.
   */
  long last(Log log, Predicate<Item> beginning, long settled) {
    long notBefore = settled + 1;
    long step = 1;
    while (notBefore - step > 0 && !isIn(log, notBefore - step, beginning)) {
      notBefore -= step;
      step *= 2;
    }
    long before = Math.max(0, notBefore - step);
    while (notBefore - before > 1) {
      long middle = before + (notBefore - before) / 2;
      if (isIn(log, middle, beginning)) {
        before = middle;
      } else {
        notBefore = middle;
      }
    }
    return before;
  }

  /**
   * Returns whether a position matches. Expired positions are gone, so the first existing position
   * after one is tested instead.
   */
  private boolean isIn(Log log, long position, Predicate<Item> beginning) {
    Slice slice =
        store.query(
            Query.of(Table.EVENTS, LogItems.partition(log))
                .from(LogItems.range(position))
                .limit(1));
    return slice.items().isEmpty() || beginning.test(slice.items().getFirst());
  }
}
