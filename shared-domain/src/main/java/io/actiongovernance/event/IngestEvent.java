package io.actiongovernance.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import org.jspecify.annotations.Nullable;

/** Ingests an envelope into the log (contract, sections 7 and 9). Thread-safe. */
public final class IngestEvent {
  private static final Refusal OTHER_WORKSPACE =
      new Refusal.BeyondKey("The key is pinned to a workspace other than the one named.");

  private final EventLog log;
  private final Ids ids;

  public IngestEvent(EventLog log, Ids ids) {
    this.log = log;
    this.ids = ids;
  }

  /**
   * The sender's part of an envelope; the service adds the rest.
   *
   * @param eventType a dotted noun.verb
   * @param correlationId null to create one
   * @param workspaceId null for the caller's own workspace
   * @param trace position of the sender's trace, or null
   */
  public record Envelope(
      String source,
      String eventType,
      ObjectNode payload,
      @Nullable CorrelationId correlationId,
      @Nullable String workspaceId,
      @Nullable String agentId,
      @Nullable String sessionId,
      @Nullable TraceParent trace) {}

  /**
   * @param id identical if a request that failed midway is sent again
   */
  public Outcome<Event> ingest(Caller caller, EventId id, Envelope envelope) {
    String named = envelope.workspaceId();
    if (named != null && !caller.sees(named)) {
      return Outcome.refused(OTHER_WORKSPACE);
    }
    CorrelationId correlationId = envelope.correlationId();
    return Outcome.done(
        log.append(
            new NewEvent(
                id,
                caller.partition(),
                caller.resellerId(),
                named == null ? caller.workspaceId() : named,
                envelope.source(),
                envelope.eventType(),
                correlationId == null ? CorrelationId.next(ids) : correlationId,
                envelope.payload(),
                envelope.agentId(),
                envelope.sessionId(),
                caller.requestId(),
                caller.principal(),
                envelope.trace())));
  }
}
