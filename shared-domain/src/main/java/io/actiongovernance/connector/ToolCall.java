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
 * @param args fit the tool's input schema
 * @param idempotencyKey the action's
 * @param workspaceId the workspace whose action it is; null for the tenant as a whole
 * @param deadline when an answer is needed at the latest
 * @param permit whether its requests may be made; asked right before the first byte of each leaves
 * @param answerKept whether the answer is wanted as it came, too
 * @param trace where the trace of who led to it stands in this call; null where it is in none
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

  /** A call for the tenant as a whole that nothing can stop, and whose answer nobody keeps. */
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
   * The idempotency key that the source system sees. It does not know that a key of one workspace
   * is another than the same key elsewhere: so a workspace's own stands for both (contract, section
   * 5).
   */
  public String sourceKey() {
    return workspaceId == null
        ? idempotencyKey
        : CanonicalJson.sha256(workspaceId + "\n" + idempotencyKey).substring(0, SOURCE_KEY_LENGTH);
  }
}
