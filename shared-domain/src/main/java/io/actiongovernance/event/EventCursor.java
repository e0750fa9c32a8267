package io.actiongovernance.event;

import org.jspecify.annotations.Nullable;

/**
 * A place in the log that a cursor names. Between two pages of a list, the cursor also has the
 * list's progress.
 *
 * @param position a stream or an {@code asc} list replays strictly after this position
 * @param order the order of the list that issued the cursor, or null if no list did
 * @param head the head of the log at that list's first page
 * @param before a {@code desc} list continues strictly before this position
 * @param outcomes the corresponding positions in the log of outcomes; null if the filter includes
 *     none
 */
public record EventCursor(
    long position, @Nullable Order order, long head, long before, @Nullable OfOutcomes outcomes) {
  /** Positions of a cursor in the log of outcomes. */
  public record OfOutcomes(long position, long head, long before) {}

  /** A cursor for ingested events only. */
  public EventCursor(long position, @Nullable Order order, long head, long before) {
    this(position, order, head, before, null);
  }

  /** Returns the cursor for the place of one event, which belongs to no list. */
  public static EventCursor at(long position) {
    return new EventCursor(position, null, 0, position);
  }

  /**
   * Returns the cursor for the place of one event or outcome, if outcomes are included.
   *
   * @param ofOutcome whether it is the place of an outcome rather than of an ingested event; a
   *     {@code desc} list then leaves that outcome out
   */
  static EventCursor at(Place place, boolean ofOutcome) {
    return new EventCursor(
        place.position(),
        null,
        0,
        place.position() + (ofOutcome ? 1 : 0),
        new OfOutcomes(place.outcomes(), 0, place.outcomes() + (ofOutcome ? 0 : 1)));
  }

  /** Returns a cursor between two pages, after the entry at this position. */
  static EventCursor within(Order order, long position, long head) {
    return new EventCursor(position, order, head, position);
  }

  /** Returns a cursor between two pages, if outcomes are included. */
  static EventCursor within(Order order, Place place, Place before, Place head) {
    return new EventCursor(
        place.position(),
        order,
        head.position(),
        before.position(),
        new OfOutcomes(place.outcomes(), head.outcomes(), before.outcomes()));
  }

  /**
   * Returns the cursor after the last page. It has the head as of the first page, and nothing is
   * left before it.
   */
  static EventCursor end(long head) {
    return new EventCursor(head, null, 0, 1);
  }

  /** Returns the cursor after the last page, if outcomes are included. */
  static EventCursor end(Place head) {
    return new EventCursor(head.position(), null, 0, 1, new OfOutcomes(head.outcomes(), 0, 1));
  }

  public String text() {
    String ingested =
        position + "|" + (order == null ? "" : order.name()) + "|" + head + "|" + before;
    return outcomes == null
        ? ingested
        : ingested + "|" + outcomes.position() + "|" + outcomes.head() + "|" + outcomes.before();
  }

  /** Parses the text of {@link #text()}. */
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

  /**
   * Returns whether a list in this order continues from the cursor's progress, rather than
   * beginning at the cursor's place.
   */
  boolean continues(Order listOrder) {
    return order == listOrder;
  }
}
