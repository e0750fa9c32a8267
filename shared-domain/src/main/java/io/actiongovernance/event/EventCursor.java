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
 * @param outcomes the same in the log of outcomes; null where its filter includes none
 */
public record EventCursor(
    long position, @Nullable Order order, long head, long before, @Nullable OfOutcomes outcomes) {
  /** What a cursor says of the log of outcomes. */
  public record OfOutcomes(long position, long head, long before) {}

  /** One of what was ingested alone. */
  public EventCursor(long position, @Nullable Order order, long head, long before) {
    this(position, order, head, before, null);
  }

  /** A place that belongs to no list: that of one event. */
  public static EventCursor at(long position) {
    return new EventCursor(position, null, 0, position);
  }

  /**
   * The same where outcomes are included.
   *
   * @param ofOutcome whether it is the place of an outcome, which a list in {@code desc} leaves
   *     out, rather than of what was ingested
   */
  static EventCursor at(Place place, boolean ofOutcome) {
    return new EventCursor(
        place.position(),
        null,
        0,
        place.position() + (ofOutcome ? 1 : 0),
        new OfOutcomes(place.outcomes(), 0, place.outcomes() + (ofOutcome ? 0 : 1)));
  }

  /** Between two pages, after the entry at this position. */
  static EventCursor within(Order order, long position, long head) {
    return new EventCursor(position, order, head, position);
  }

  /** The same where outcomes are included. */
  static EventCursor within(Order order, Place place, Place before, Place head) {
    return new EventCursor(
        place.position(),
        order,
        head.position(),
        before.position(),
        new OfOutcomes(place.outcomes(), head.outcomes(), before.outcomes()));
  }

  /** After the last page: the head as it stood at the first one, and nothing is left before it. */
  static EventCursor end(long head) {
    return new EventCursor(head, null, 0, 1);
  }

  /** The same where outcomes are included. */
  static EventCursor end(Place head) {
    return new EventCursor(head.position(), null, 0, 1, new OfOutcomes(head.outcomes(), 0, 1));
  }

  /** All of it, as a text. */
  public String text() {
    String ingested =
        position + "|" + (order == null ? "" : order.name()) + "|" + head + "|" + before;
    return outcomes == null
        ? ingested
        : ingested + "|" + outcomes.position() + "|" + outcomes.head() + "|" + outcomes.before();
  }

  /** The cursor of a text made by {@link #text()}. */
  public static EventCursor of(String text) {
    String[] parts = text.split("\\|", -1);
    return new EventCursor(
        Long.parseLong(parts[0]),
        parts[1].isEmpty() ? null : Order.valueOf(parts[1]),
        Long.parseLong(parts[2]),
        Long.parseLong(parts[3]),
        parts.length == 4
            ? null
            : new OfOutcomes(
                Long.parseLong(parts[4]), Long.parseLong(parts[5]), Long.parseLong(parts[6])));
  }

  /** Whether a list in this order goes on where it stood, rather than begins here. */
  boolean continues(Order listOrder) {
    return order == listOrder;
  }
}
