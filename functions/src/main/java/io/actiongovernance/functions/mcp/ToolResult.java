package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;

/** The result of a call in the making. Not thread-safe. */
final class ToolResult {
  private static final String CONTENT = "content";
  private static final String OURS = "io.actiongovernance/";

  private final ObjectNode result = Json.object();

  private ToolResult() {
    result.putArray(CONTENT);
  }

  /** One with this text. */
  static ToolResult text(String text) {
    return new ToolResult().say(text);
  }

  /** One that says that something went wrong: models read it, and mend what they can. */
  static ToolResult error(String text) {
    ToolResult failed = text(text);
    failed.result.put("isError", true);
    return failed;
  }

  /** One with the content of another. */
  static ToolResult of(ArrayNode content) {
    ToolResult made = new ToolResult();
    made.content().addAll(content);
    return made;
  }

  private ArrayNode content() {
    return (ArrayNode) result.get(CONTENT);
  }

  private ToolResult say(String text) {
    content().addObject().put("type", "text").put("text", text);
    return this;
  }

  /** With this before all else. */
  ToolResult before(String text) {
    content().insertObject(0).put("type", "text").put("text", text);
    return this;
  }

  ToolResult structured(JsonNode content) {
    result.set("structuredContent", content);
    return this;
  }

  /** What the service says besides. */
  ToolResult noting(String name, JsonNode value) {
    result.withObjectProperty(Era.META).set(OURS + name, value);
    return this;
  }

  ObjectNode wire() {
    return result;
  }
}
