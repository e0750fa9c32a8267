package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The items of a log in one direction, read on demand one slice at a time. Not thread-safe. */
final class Positions {
  private static final int SLICE = 128;

  private final Store store;
  private final Order order;
  private final Deque<Part> parts;
  private final Deque<Item> read = new ArrayDeque<>();
  private final long lowest;
  private boolean ended;

  /**
   * A part of a log.
   *
   * @param from the log itself, or an index of it
   * @param after exclusive
   * @param upTo inclusive
   */
  record Part(Query from, long after, long upTo) {
    private @Nullable Part rest(Slice slice, Order order) {
      if (!slice.more() || slice.items().isEmpty()) {
        return null;
      }
      long last = LogItems.position(slice.items().getLast());
      Part rest =
          switch (order) {
            case ASC -> new Part(from, last, upTo);
            case DESC -> new Part(from, after, last - 1);
          };
      return rest.after() < rest.upTo() ? rest : null;
    }
  }

  Positions(Store store, Order order, List<Part> parts) {
    this.store = store;
    this.order = order;
    this.parts = new ArrayDeque<>(parts);
    this.lowest = parts.stream().mapToLong(Part::after).min().orElse(0);
  }

  /** Returns the next item without removing it; null if there is none. */
  @Nullable Item peek() {
    while (read.isEmpty() && !parts.isEmpty()) {
      Part part = parts.remove();
      if (part.after() < part.upTo()) {
        Query bounded =
            part.from()
                .from(LogItems.range(part.after() + 1))
                .below(LogItems.range(part.upTo() + 1))
                .limit(SLICE);
        Slice slice = store.query(order == Order.ASC ? bounded : bounded.newestFirst());
        read.addAll(slice.items());
        @Nullable Part rest = part.rest(slice, order);
        if (rest != null) {
          parts.addFirst(rest);
        }
      }
    }
    return read.peek();
  }

  /** Returns the next item, or null if there is none or {@link #end} was called. */
  @Nullable Item wanted() {
    return ended ? null : peek();
  }

  /** Ends the reading, because no later item is needed. */
  void end() {
    ended = true;
  }

  void remove() {
    read.remove();
  }

  /** Returns the next position; if there is none, the position before all of them. */
  long peekPosition() {
    @Nullable Item next = peek();
    return next == null ? lowest : LogItems.position(next);
  }
}
