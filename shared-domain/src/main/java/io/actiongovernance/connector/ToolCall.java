package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.id.CorrelationId;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * One call of a tool.
 *
 * @param args fit the tool's input schema
 * @param idempotencyKey the action's; the source system sees it
 * @param deadline when an answer is needed at the latest
 * @param permit whether a request may be made now; asked right before each
 */
public record ToolCall(
    Connector connector,
    Tool tool,
    JsonNode args,
    String idempotencyKey,
    CorrelationId correlationId,
    Instant deadline,
    BooleanSupplier permit) {

  /** A call that nothing can stop. */
  public ToolCall(
      Connector connector,
      Tool tool,
      JsonNode args,
      String idempotencyKey,
      CorrelationId correlationId,
      Instant deadline) {
    this(connector, tool, args, idempotencyKey, correlationId, deadline, () -> true);
  }
}
