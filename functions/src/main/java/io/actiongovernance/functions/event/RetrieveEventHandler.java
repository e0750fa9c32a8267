package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EventId;

/** {@code GET /v1/events/{event_id}}. */
@Operation(
    summary = "Retrieve an event",
    description =
        "Returns an ingested envelope; or an outcome, to keys that may read plans or" + " actions.",
    tag = Tag.EVENTS,
    answer = EventView.class)
public final class RetrieveEventHandler implements RouteHandler<RetrieveEventHandler.Input> {
  private final EventLog log;
  private final EventCursors cursors;

  public RetrieveEventHandler(EventLog log, EventCursors cursors) {
    this.log = log;
    this.cursors = cursors;
  }

  record Input(EventId eventId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return log.findLogged(call.caller(), input.eventId())
        .map(event -> Reply.ok(EventView.of(call.caller(), event, cursors.of(event))))
        .orElseGet(() -> Reply.notFound("event"));
  }
}
