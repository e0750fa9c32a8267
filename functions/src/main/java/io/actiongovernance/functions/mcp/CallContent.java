package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.connector.Engine;
import io.actiongovernance.gateway.GovernedCall;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.json.LenientJson;
import io.actiongovernance.result.KeptResult;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Converts a source system's answer to the content of a result. An answer of a Model Context
 * Protocol server stays unchanged; any other becomes text. Thread-safe.
 */
final class CallContent {
  /** The most bytes of an answer that are returned. */
  private static final int LARGEST = 1 << 20;

  /** The most bytes of JSON that are returned in both forms. */
  private static final int LARGEST_STRUCTURED = 256 * 1_024;

  private final Connectors connectors;

  CallContent(Connectors connectors) {
    this.connectors = connectors;
  }

  ToolResult of(GovernedCall call, KeptResult kept, Era era) {
    String body = kept.content().body();
    boolean large = kept.truncated() || body.getBytes(StandardCharsets.UTF_8).length > LARGEST;
    if (large || kept.content().encoding() != KeptResult.Encoding.TEXT) {
      return elsewhere(call.action(), kept);
    }
    Optional<JsonNode> json = json(kept, body);
    return isOfMcp(call) && json.isPresent() && json.get().path("content").isArray()
        ? asItCame(json.get(), era)
        : asText(body, json, era);
  }

  private boolean isOfMcp(GovernedCall call) {
    Action action = call.action();
    ConnectorId id = action.terms().connector();
    return Optional.ofNullable(call.connector())
        .filter(known -> known.id().equals(id))
        .or(() -> connectors.find(action.partition(), id))
        .filter(connector -> connector.listing().engine() == Engine.MCP)
        .isPresent();
  }

  private static ToolResult asItCame(JsonNode answer, Era era) {
    ToolResult result = ToolResult.of((ArrayNode) answer.path("content"), answer.path(Era.META));
    return structured(result, answer.path("structuredContent"), era);
  }

  private static ToolResult asText(String body, Optional<JsonNode> json, Era era) {
    boolean small = body.getBytes(StandardCharsets.UTF_8).length <= LARGEST_STRUCTURED;
    ToolResult result = ToolResult.text(body);
    return json.isPresent() && small ? structured(result, json.get(), era) : result;
  }

  /**
   * Adds structured content, if the client accepts it. Clients of revisions before 2026-07-28
   * accept only objects.
   */
  private static ToolResult structured(ToolResult result, JsonNode content, Era era) {
    boolean there = !content.isMissingNode() && (content.isObject() || era.modern());
    return there ? result.structured(content) : result;
  }

  private static ToolResult elsewhere(Action action, KeptResult kept) {
    return ToolResult.text(
        "The call took effect. Its answer of %s bytes%s is not shown here: GET /v1/actions/%s/result has %s."
            .formatted(
                kept.size(),
                kept.contentType() == null ? "" : " (" + kept.contentType() + ")",
                action.id(),
                kept.truncated() ? "its first " + kept.content().size() + " bytes" : "it"));
  }

  private static Optional<JsonNode> json(KeptResult kept, String body) {
    String type = kept.contentType();
    if (type == null || !type.contains("json")) {
      return Optional.empty();
    }
    return LenientJson.read(body);
  }
}
