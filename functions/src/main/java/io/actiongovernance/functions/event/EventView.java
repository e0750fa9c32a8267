package io.actiongovernance.functions.event;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.actiongovernance.event.Event;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.TenantId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An event as it is answered: the fields of its envelope, and {@code id}, {@code object}, {@code
 * plan_ids}, {@code created_at}.
 *
 * @param payload JSON text that keeps the size it was sent with
 * @param cursor its position, as a cursor
 */
record EventView(
    EventId id,
    String object,
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
    String cursor,
    List<PlanId> planIds,
    Instant createdAt) {

  static EventView of(Event event, String cursor) {
    return new EventView(
        event.id(),
        "event",
        event.id(),
        event.resellerId(),
        event.partition().tenant(),
        event.workspaceId(),
        event.source(),
        event.eventType(),
        event.correlationId(),
        event.payloadText(),
        event.agentId(),
        event.sessionId(),
        cursor,
        event.planIds(),
        event.createdAt());
  }
}
