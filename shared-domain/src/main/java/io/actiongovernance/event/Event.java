package io.actiongovernance.event;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.access.Principal;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.id.TraceParent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ingested envelope and its plans (specification, Event envelope; contract, section 7).
 *
 * @param payload a JSON object, as sent; callers must not change it
 * @param position its place in the log of its partition, from 1
 * @param createdAt the log's time when the event took its position; never goes back from one
 *     position to the next
 * @param requestId the request that ingested it, for receipts; not published
 * @param ingestedBy the principal who ingested it, for whom plans are proposed; not published
 * @param trace position of its sender's trace, or null; not published
 */
public record Event(
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
    long position,
    EventPlans plans,
    Instant createdAt,
    RequestId requestId,
    Principal ingestedBy,
    @Nullable TraceParent trace)
    implements Logged {
  /** Retention of events, and of cursors into their log (contract, section 10). */
  public static final Duration RETENTION = Duration.ofDays(30);

  /** The plans proposed for this event, oldest first. */
  @Override
  public List<PlanId> planIds() {
    return plans.ids();
  }

  /** The payload as JSON text that is no longer than the text that was sent. */
  @Override
  public String payloadText() {
    return PayloadText.of(payload);
  }
}
