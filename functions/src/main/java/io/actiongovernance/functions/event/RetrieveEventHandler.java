package io.actiongovernance.functions.event;

import io.actiongovernance.event.EventLog;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EventId;

/** {@code GET /v1/events/{event_id}}. */
public final class RetrieveEventHandler implements FieldsHandler {
  private final EventLog log;
  private final EventCursors cursors;

  public RetrieveEventHandler(EventLog log, EventCursors cursors) {
    this.log = log;
    this.cursors = cursors;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    EventId id = call.id("event_id", EventId::parse);
    return log.find(call.caller().partition(), id)
        .filter(event -> call.caller().sees(event.workspaceId()))
        .map(event -> Reply.ok(EventView.of(event, cursors.of(event))))
        .orElseGet(() -> Reply.notFound("event"));
  }
}
