package io.actiongovernance.event;

import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.Instant;

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
    long notBefore = settled + 1;
    long step = 1;
    while (notBefore - step > 0 && !isBefore(log, notBefore - step, instant)) {
      notBefore -= step;
      step *= 2;
    }
    long before = Math.max(0, notBefore - step);
    while (notBefore - before > 1) {
      long middle = before + (notBefore - before) / 2;
      if (isBefore(log, middle, instant)) {
        before = middle;
      } else {
        notBefore = middle;
      }
    }
    return before;
  }

  /**
   * Positions that have expired are gone, and take the time of the first one after them that is
   * there.
   */
  private boolean isBefore(Log log, long position, Instant instant) {
    Slice slice =
        store.query(
            Query.of(Table.EVENTS, LogItems.partition(log))
                .from(LogItems.range(position))
                .limit(1));
    return slice.items().isEmpty() || LogItems.at(slice.items().getFirst()).isBefore(instant);
  }
}
