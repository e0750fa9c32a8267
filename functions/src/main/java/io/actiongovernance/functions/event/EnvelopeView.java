package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.actiongovernance.access.Caller;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.Logged;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import org.jspecify.annotations.Nullable;

/**
 * An envelope in the stream's form (specification, Event envelope).
 *
 * @param payload the payload as JSON text, unchanged so that it keeps the size it was sent with
 * @param cursor the envelope's position, for the filter of the stream
 */
record EnvelopeView(
    EventId eventId,
    @Nullable String resellerId,
    TenantId tenantId,
    @Nullable String workspaceId,
    String source,
    String eventType,
    CorrelationId correlationId,
    @JsonRawValue String payload,
    @Nullable String agentId,
    @Nullable String sessionId,
    EventKind kind,
    String cursor) {

  /** The envelope as a server-sent event. */
  static String frame(Caller caller, Logged event, String cursor) {
    @Nullable Event ingested = event instanceof Event one ? one : null;
    EnvelopeView view =
        new EnvelopeView(
            event.id(),
            ingested == null ? caller.resellerId() : ingested.resellerId(),
            event.partition().tenant(),
            event.workspaceId(),
            event.source(),
            event.eventType(),
            event.correlationId(),
            event.payloadText(),
            ingested == null ? null : ingested.agentId(),
            ingested == null ? null : ingested.sessionId(),
            EventKind.of(event),
            cursor);
    // JSON on one line: a line break would end the field.
    return "id: " + event.id() + "\nevent: envelope\ndata: " + Json.write(view) + "\n\n";
  }
}
