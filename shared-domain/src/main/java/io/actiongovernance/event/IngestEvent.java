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

/** Takes an envelope from outside into the log (contract, sections 7 and 9). Thread-safe. */
public final class IngestEvent {
  private static final Refusal OTHER_WORKSPACE =
      new Refusal.BeyondKey("The key is pinned to a workspace other than this.");

  private final EventLog log;
  private final Ids ids;

  public IngestEvent(EventLog log, Ids ids) {
    this.log = log;
    this.ids = ids;
  }

  /**
   * What is sent of an envelope; the rest of it the service knows.
   *
   * @param eventType a dotted noun.verb
   * @param correlationId null to have one made
   * @param workspaceId null for the caller's own
   * @param trace where the sender's trace stands, or null
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
   * @param id the same when a request that died half-way comes again
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
