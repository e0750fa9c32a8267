package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.CanonicalJson;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One call of a tool.
 *
 * @param args arguments that fit the tool's input schema
 * @param workspaceId the action's workspace; null for the tenant as a whole
 * @param deadline latest time for an answer
 * @param permit whether its requests may be made; asked right before the first byte of each leaves
 * @param answerKept whether the answer is also wanted byte for byte
 * @param trace position of this call in the trace that led to it; null if it is in no trace
 */
public record ToolCall(
    Connector connector,
    Tool tool,
    JsonNode args,
    String idempotencyKey,
    @Nullable String workspaceId,
    CorrelationId correlationId,
    Instant deadline,
    Permit permit,
    boolean answerKept,
    @Nullable TraceParent trace) {
  private static final int SOURCE_KEY_LENGTH = 32;

  /** A call for the tenant as a whole that nothing can stop, and whose answer is not kept. */
  public ToolCall(
      Connector connector,
      Tool tool,
      JsonNode args,
      String idempotencyKey,
      CorrelationId correlationId,
      Instant deadline) {
    this(
        connector,
        tool,
        args,
        idempotencyKey,
        null,
        correlationId,
        deadline,
        () -> true,
        false,
        null);
  }

  /**
   * Returns the idempotency key that the source system sees. The same key means different things in
   * a workspace and elsewhere, which the source system cannot know. So a workspace's call gets a
   * key derived from both workspace and key (contract, section 5).
   */
  public String sourceKey() {
    return workspaceId == null
        ? idempotencyKey
        : CanonicalJson.sha256(workspaceId + "\n" + idempotencyKey).substring(0, SOURCE_KEY_LENGTH);
  }
}
