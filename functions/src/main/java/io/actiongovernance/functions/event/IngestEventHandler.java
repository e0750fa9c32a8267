package io.actiongovernance.functions.event;

import io.actiongovernance.event.Event;
import io.actiongovernance.event.IngestEvent;
import io.actiongovernance.event.IngestEvent.Outcome.Ingested;
import io.actiongovernance.event.IngestEvent.Outcome.OtherWorkspace;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;

/** {@code POST /v1/events}. */
public final class IngestEventHandler implements FieldsHandler {
  private final IngestEvent ingestEvent;
  private final EventCursors cursors;

  public IngestEventHandler(IngestEvent ingestEvent, EventCursors cursors) {
    this.ingestEvent = ingestEvent;
    this.cursors = cursors;
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return switch (ingestEvent.ingest(call.caller(), call.mintedId(), call.body())) {
      case Ingested(Event event) -> Reply.created(EventView.of(event, cursors.of(event)));
      case OtherWorkspace _ ->
          Reply.error(
              ErrorCode.INSUFFICIENT_SCOPE, "The key is pinned to a workspace other than this.");
    };
  }
}
