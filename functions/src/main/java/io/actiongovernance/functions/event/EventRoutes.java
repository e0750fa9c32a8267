package io.actiongovernance.functions.event;

import static io.actiongovernance.functions.rights.Needs.CURSORS;
import static io.actiongovernance.functions.rights.Needs.LOG;
import static io.actiongovernance.functions.rights.Rights.on;
import static io.actiongovernance.functions.rights.Rights.reading;
import static io.actiongovernance.functions.rights.TableAccess.READ;
import static io.actiongovernance.functions.rights.TableAccess.UPDATE;
import static io.actiongovernance.store.Table.EVENTS;
import static io.actiongovernance.store.Table.LIMITS;
import static io.actiongovernance.store.Table.STATE;

import io.actiongovernance.access.RateClass;
import io.actiongovernance.access.Scope;
import io.actiongovernance.event.IngestEvent;
import io.actiongovernance.functions.route.Route;
import java.util.List;

/** The routes of events. */
public final class EventRoutes {
  public static final Route INGEST_EVENT =
      Route.post("ingest-event", "/v1/events")
          .key(Scope.EVENTS_WRITE, RateClass.INGEST)
          .needs(LOG.and(CURSORS))
          .handledBy(
              () -> IngestEventHandler.class,
              wiring ->
                  new IngestEventHandler(
                      new IngestEvent(wiring.eventLog(), wiring.ids()), EventCursors.of(wiring)));

  public static final Route LIST_EVENTS =
      Route.get("list-events", "/v1/events")
          .key(Scope.EVENTS_READ, RateClass.EVENTS)
          .including(FilterParameters.SCOPES)
          .needs(LOG)
          .handledBy(
              () -> ListEventsHandler.class,
              wiring -> new ListEventsHandler(wiring.eventList(), EventCursors.of(wiring)));

  // A stream monitors its key (STATE), and holds one of the tenant's slots (LIMITS).
  public static final Route STREAM_EVENTS =
      Route.get("stream-events", "/v1/events/stream")
          .key(Scope.EVENTS_READ, RateClass.EVENTS)
          .including(FilterParameters.SCOPES)
          .streaming()
          .needs(LOG.and(CURSORS).and(reading(STATE)).and(on(LIMITS, READ, UPDATE)))
          .handledBy(
              () -> StreamEventsHandler.class,
              wiring ->
                  new StreamEventsHandler(
                      wiring.eventFeeds(),
                      wiring.eventLog(),
                      EventCursors.of(wiring),
                      wiring.streamSlots(),
                      new StreamEventsHandler.Limit(
                          wiring.sessions()::isActive, wiring.settings().longestStream()),
                      wiring.clock()));

  public static final Route RETRIEVE_EVENT =
      Route.get("retrieve-event", "/v1/events/{event_id}")
          .key(Scope.EVENTS_READ, RateClass.EVENTS)
          .needs(reading(EVENTS).and(CURSORS))
          .handledBy(
              () -> RetrieveEventHandler.class,
              wiring -> new RetrieveEventHandler(wiring.eventLog(), EventCursors.of(wiring)));

  private EventRoutes() {}

  public static List<Route> all() {
    return List.of(INGEST_EVENT, LIST_EVENTS, STREAM_EVENTS, RETRIEVE_EVENT);
  }
}
