package io.actiongovernance.functions.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventCursor;
import io.actiongovernance.event.EventFilter;
import io.actiongovernance.event.Logged;
import io.actiongovernance.event.OutcomeEvent;
import io.actiongovernance.functions.route.PageCursors;
import io.actiongovernance.functions.wiring.Wiring;
import java.time.InstantSource;

/**
 * The cursors of lists and streams of events, in the form that clients see. They are bound to
 * tenant, mode and filter, and valid for as long as events are kept (contract, section 7). Lists
 * and streams accept the same cursors, so these are not bound to a route, an order or time bounds.
 * Thread-safe.
 */
public final class EventCursors {
  private final PageCursors cursors;
  private final InstantSource clock;

  public EventCursors(PageCursors cursors, InstantSource clock) {
    this.cursors = cursors;
    this.clock = clock;
  }

  static EventCursors of(Wiring wiring) {
    return new EventCursors(new PageCursors(wiring.sealer(), wiring.clock()), wiring.clock());
  }

  public String seal(Partition partition, EventFilter filter, EventCursor cursor) {
    return cursors.seal(
        partition, binding(filter), cursor.text(), clock.instant().plus(Event.RETENTION));
  }

  /** The cursor of one event or outcome in the unfiltered log. */
  public String of(Logged event) {
    long position =
        switch (event) {
          case Event ingested -> ingested.position();
          case OutcomeEvent outcome -> outcome.slot().stand().envelopes();
        };
    return seal(event.partition(), EventFilter.NONE, EventCursor.at(position));
  }

  /**
   * Opens a cursor from a client.
   *
   * @throws io.actiongovernance.functions.api.ApiException {@code invalid_cursor} if the cursor is
   *     malformed or expired, or belongs to another tenant, mode or filter
   */
  public EventCursor open(Partition partition, EventFilter filter, String cursor) {
    return EventCursor.of(cursors.open(partition, binding(filter), cursor));
  }

  private static String binding(EventFilter filter) {
    return "events\n" + filter.binding();
  }
}
