package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;
import java.util.function.Predicate;

/**
 * Finds places in the log by its time, which never goes back from one position to the next: by
 * doubling steps down from the head, then by halving. A place {@code n} entries below the head
 * costs about 2 log₂ n reads of one item. Thread-safe.
 */
final class LogTimes {
  private final Store store;

  LogTimes(Store store) {
    this.store = store;
  }

  /**
   * The last position up to {@code settled} whose time is before the instant; 0 if there is none.
   */
  long lastBefore(Log log, Instant instant, long settled) {
    return last(log, item -> LogItems.at(item).isBefore(instant), settled);
  }

  /**
   * The last position up to {@code settled} that is of a beginning of the log, which takes in
   * whatever is before one that is in it; 0 if there is none.
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
   * Positions that have expired are gone, and take the part of the first one after them that is
   * there.
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
