package io.actiongovernance.event;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Caller;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.EventId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.json.Fields;
import io.actiongovernance.outcome.Problem;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes an envelope from outside into the log (contract, sections 7 and 9). The fields are those of
 * the body of {@code POST /v1/events}; one that breaks its rule is an {@link Problem} that names
 * it. Thread-safe.
 */
public final class IngestEvent {
  private static final int LONGEST_SOURCE = 100;
  private static final int LONGEST_TYPE = 200;
  private static final int LONGEST_WORKSPACE = 100;
  private static final int LONGEST_ID = 200;
  private static final Pattern TYPE = Pattern.compile("[a-z][a-z0-9_]*+(\\.[a-z][a-z0-9_]*+)++");

  private final EventLog log;
  private final Ids ids;

  public IngestEvent(EventLog log, Ids ids) {
    this.log = log;
    this.ids = ids;
  }

  /** What became of an envelope. */
  public sealed interface Outcome {
    /** It is in the log. */
    record Ingested(Event event) implements Outcome {}

    /** It names a workspace other than the one its key is pinned to; nothing was written. */
    record OtherWorkspace(String workspaceId) implements Outcome {}
  }

  /**
   * @param mintedId the body of the event's id, the same when a request that died half-way comes
   *     again
   */
  public Outcome ingest(Caller caller, String mintedId, Fields body) {
    String source = body.name("source", 1, LONGEST_SOURCE);
    String eventType =
        body.choice(
            "event_type",
            text -> Optional.of(text).filter(IngestEvent::isType),
            "a dotted noun.verb in lower case of at most 200 characters");
    ObjectNode payload = body.object("payload");
    @Nullable CorrelationId correlationId =
        body.choiceOrNull("correlation_id", CorrelationId::parse, "an identifier with prefix co_");
    @Nullable String named = body.nameOrNull("workspace_id", 1, LONGEST_WORKSPACE);
    @Nullable String agentId = body.nameOrNull("agent_id", 1, LONGEST_ID);
    @Nullable String sessionId = body.nameOrNull("session_id", 1, LONGEST_ID);
    body.done();
    String workspaceId = named == null ? caller.workspaceId() : named;
    if (named != null && !caller.sees(named)) {
      return new Outcome.OtherWorkspace(named);
    }
    return new Outcome.Ingested(
        log.append(
            new NewEvent(
                new EventId(EventId.PREFIX + mintedId),
                caller.partition(),
                caller.resellerId(),
                workspaceId,
                source,
                eventType,
                correlationId == null ? CorrelationId.next(ids) : correlationId,
                payload,
                agentId,
                sessionId,
                caller.requestId(),
                caller.principal())));
  }

  private static boolean isType(String text) {
    return text.length() <= LONGEST_TYPE && TYPE.matcher(text).matches();
  }
}
