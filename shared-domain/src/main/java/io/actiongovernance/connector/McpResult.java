package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.LenientJson;

/** Answer of a tool of a Model Context Protocol server. Stateless. */
final class McpResult {
  private McpResult() {}

  /**
   * Returns a result that also has the members of its JSON content, so that an inverse can name
   * them directly.
   */
  static JsonNode withMembers(JsonNode result) {
    JsonNode said = result.path("structuredContent");
    JsonNode content = result.path("content");
    if (!said.isObject() && content.size() == 1) {
      String text = content.path(0).path("text").asText();
      said = LenientJson.read(text).orElse(NullNode.getInstance()); // else a text for people
    }
    if (!(result instanceof ObjectNode whole) || !(said instanceof ObjectNode members)) {
      return result;
    }
    return members.deepCopy().setAll(whole);
  }
}
