package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;

/** What a tool of a Model Context Protocol server answers with. Stateless. */
final class McpResult {
  private McpResult() {}

  /**
   * A result, and beside its own members those of what it says in JSON, so that an inverse can name
   * them directly. What has them already stays what it is.
   */
  static JsonNode withMembers(JsonNode result) {
    JsonNode said = result.path("structuredContent");
    JsonNode content = result.path("content");
    if (!said.isObject() && content.size() == 1) {
      said = json(content.path(0).path("text").asText());
    }
    if (!(result instanceof ObjectNode whole) || !(said instanceof ObjectNode members)) {
      return result;
    }
    return members.deepCopy().setAll(whole);
  }

  private static JsonNode json(String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      return NullNode.getInstance(); // a text for people
    }
  }
}
