package io.actiongovernance.functions.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.List;
import java.util.regex.Pattern;

/** A call's result under construction. Not thread-safe. */
final class ToolResult {
  private static final String CONTENT = "content";
  private static final String OURS = "io.actiongovernance/";

  /**
   * Names that only this service or the protocol may use, in any spelling. They are removed from
   * all other senders' metadata.
   */
  private static final Pattern NOT_THEIRS =
      Pattern.compile(
          "\\s*(?:io\\.actiongovernance|[a-z0-9-]+\\.(?:mcp|modelcontextprotocol))(?:[./].*)?$",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private final ObjectNode result = Json.object();

  private ToolResult() {
    result.putArray(CONTENT);
  }

  /** A result with this text. */
  static ToolResult text(String text) {
    return new ToolResult().say(text);
  }

  /** A result that reports an error. Models read the text, and correct what they can. */
  static ToolResult error(String text) {
    ToolResult failed = text(text);
    failed.result.put("isError", true);
    return failed;
  }

  /**
   * A copy of another server's content and metadata, without names that are reserved for this
   * service or for the protocol's own connection.
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

  /** Removes reserved names from a block of content, and from the resource in it. */
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

  /** Inserts a text before all other content. */
  ToolResult before(String text) {
    content().insertObject(0).put("type", "text").put("text", text);
    return this;
  }

  ToolResult structured(JsonNode content) {
    result.set("structuredContent", content);
    return this;
  }

  /** Adds metadata of this service. */
  ToolResult noting(String name, JsonNode value) {
    result.withObjectProperty(Era.META).set(OURS + name, value);
    return this;
  }

  ObjectNode wire() {
    return result;
  }
}
