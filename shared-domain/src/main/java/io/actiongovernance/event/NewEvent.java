package io.actiongovernance.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import org.jspecify.annotations.Nullable;

/**
 * An envelope to append to the log.
 *
 * @param id minted before the first attempt and reused for every retry, so that nothing is appended
 *     twice
 * @param payload a JSON object
 * @param trace position of its sender's trace, or null
 */
public record NewEvent(
    EventId id,
    Partition partition,
    @Nullable String resellerId,
    @Nullable String workspaceId,
    String source,
    String eventType,
    CorrelationId correlationId,
    JsonNode payload,
    @Nullable String agentId,
    @Nullable String sessionId,
    RequestId requestId,
    Principal ingestedBy,
    @Nullable TraceParent trace) {
  Event at(LogHead.Taken taken) {
    return new Event(
        id,
        partition,
        resellerId,
        workspaceId,
        source,
        eventType,
        correlationId,
        payload,
        agentId,
        sessionId,
        taken.position(),
        EventPlans.NONE,
        taken.at(),
        requestId,
        ingestedBy,
        trace);
  }
}
