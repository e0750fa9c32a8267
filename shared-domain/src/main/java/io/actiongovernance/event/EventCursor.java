package io.actiongovernance.event;

import org.jspecify.annotations.Nullable;

/**
 * A place in the log, as a cursor names it, and, between two pages of one list, where that list
 * stands.
 *
 * @param position what a stream or an {@code asc} list replays strictly after
 * @param order the order of the list it was issued by, or null if it is no list's
 * @param head the head of the log at that list's first page
 * @param before what a {@code desc} list goes on strictly before
 */
public record EventCursor(long position, @Nullable Order order, long head, long before) {
  /** A place that belongs to no list: that of one event. */
  public static EventCursor at(long position) {
    return new EventCursor(position, null, 0, position);
  }

  /** Between two pages, after the entry at this position. */
  static EventCursor within(Order order, long position, long head) {
    return new EventCursor(position, order, head, position);
  }

  /** After the last page: the head as it stood at the first one, and nothing is left before it. */
  static EventCursor end(long head) {
    return new EventCursor(head, null, 0, 1);
  }

  /** All of it, as a text. */
  public String text() {
    return position + "|" + (order == null ? "" : order.name()) + "|" + head + "|" + before;
  }

  /** The cursor of a text made by {@link #text()}. */
  public static EventCursor of(String text) {
    String[] parts = text.split("\\|", -1);
    return new EventCursor(
        Long.parseLong(parts[0]),
        parts[1].isEmpty() ? null : Order.valueOf(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]));
  }

  /** Whether a list in this order goes on where it stood, rather than begins here. */
  boolean continues(Order listOrder) {
    return order == listOrder;
  }
}
