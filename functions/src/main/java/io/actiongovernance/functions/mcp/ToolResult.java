package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.regex.Pattern;

/** The result of a call in the making. Not thread-safe. */
final class ToolResult {
  private static final String CONTENT = "content";
  private static final String OURS = "io.actiongovernance/";

  /** What is named as this service's, or as the protocol's, whoever says it and however spelled. */
  private static final Pattern NOT_THEIRS =
      Pattern.compile(
          "\\s*(?:io\\.actiongovernance|[a-z0-9-]+\\.(?:mcp|modelcontextprotocol))(?:[./].*)?$",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

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

  /**
   * One with the content of another, and what that says of itself; but not what only this service
   * says, or the protocol of the connection that it came by.
   */
  static ToolResult of(ArrayNode content, JsonNode meta) {
    ToolResult made = new ToolResult();
    for (JsonNode block : content) {
      made.content().add(cleaned(block));
    }
    if (meta instanceof ObjectNode said && !said.isEmpty()) {
      made.result.set(Era.META, without(said));
    }
    return made;
  }

  /** A block of content, and the resource in it. */
  private static JsonNode cleaned(JsonNode block) {
    if (!(block instanceof ObjectNode of)) {
      return block;
    }
    ObjectNode clean = of.deepCopy();
    for (JsonNode one : List.of(clean, clean.path("resource"))) {
      if (one instanceof ObjectNode named && named.path(Era.META) instanceof ObjectNode meta) {
        named.set(Era.META, without(meta));
      }
    }
    return clean;
  }

  private static ObjectNode without(ObjectNode meta) {
    ObjectNode clean = meta.deepCopy();
    clean.properties().removeIf(member -> NOT_THEIRS.matcher(member.getKey()).lookingAt());
    return clean;
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
