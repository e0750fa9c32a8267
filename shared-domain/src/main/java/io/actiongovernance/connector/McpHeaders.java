package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Headers in which calls of a Model Context Protocol tool repeat the arguments that its schema
 * marks by {@code x-mcp-header}. Intermediaries in front of the server can then use these arguments
 * (revision 2026-07-28, Streamable HTTP, Custom Headers from Tool Parameters). Stateless.
 */
public final class McpHeaders {
  private static final String MARK = "x-mcp-header";
  private static final String PREFIX = "Mcp-Param-";
  private static final String PROPERTIES = "properties";
  private static final Set<String> PRIMITIVE = Set.of("string", "integer", "boolean");

  /** Members of a schema that hold values rather than schemas. */
  private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");

  private McpHeaders() {}

  /**
   * Returns whether a tool with this schema may be called, because every mark in it can be obeyed.
   */
  static boolean areValid(JsonNode schema) {
    return read(schema).isPresent();
  }

  /**
   * Returns the headers of a call with these arguments. An omitted or null argument has no header.
   */
  public static Map<String, String> of(JsonNode schema, JsonNode args) {
    Map<String, String> headers = new HashMap<>();
    read(schema)
        .orElse(Map.of())
        .forEach(
            (name, path) -> {
              JsonNode value = args;
              for (String step : path) {
                value = value.path(step);
              }
              if (!value.isMissingNode() && !value.isNull()) {
                headers.put(PREFIX + name, encoded(text(value)));
              }
            });
    return headers;
  }

  private static String text(JsonNode value) {
    if (value.isTextual()) {
      return value.textValue();
    }
    // A schema accepts 7.0 as an integer.
    return value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0
        ? value.decimalValue().toBigInteger().toString()
        : Json.write(value);
  }

  /** Encodes a text for a header: unchanged, or in base64 between marks. */
  public static String encoded(String text) {
    boolean plain =
        text.equals(text.strip())
            && text.chars().allMatch(c -> c >= 0x20 && c < 0x7f)
            && !(text.startsWith("=?base64?") && text.endsWith("?="));
    return plain
        ? text
        : "=?base64?"
            + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8))
            + "?=";
  }

  /**
   * Returns the path of the argument that each header repeats, by the header's name; empty if a
   * mark cannot be obeyed.
   */
  private static Optional<Map<String, List<String>>> read(JsonNode schema) {
    Map<String, List<String>> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    return collect(schema, List.of(), found) ? Optional.of(found) : Optional.empty();
  }

  /**
   * Collects the marks from the schema of the arguments, or of a property that is reached only
   * through properties.
   */
  private static boolean collect(
      JsonNode schema, List<String> path, Map<String, List<String>> found) {
    JsonNode mark = schema.path(MARK);
    if (!mark.isMissingNode() && !take(mark, schema, path, found)) {
      return false;
    }
    for (var member : schema.properties()) {
      String name = member.getKey();
      if (name.equals(PROPERTIES)) {
        for (var property : member.getValue().properties()) {
          List<String> longer = new ArrayList<>(path);
          longer.add(property.getKey());
          if (!collect(property.getValue(), longer, found)) {
            return false;
          }
        }
      } else if (!name.equals(MARK) && !VALUES.contains(name) && isMarked(member.getValue())) {
        return false;
      }
    }
    return true;
  }

  private static boolean take(
      JsonNode mark, JsonNode schema, List<String> path, Map<String, List<String>> found) {
    return !path.isEmpty()
        && mark.isTextual()
        && HeaderNames.isToken(mark.textValue())
        && PRIMITIVE.contains(schema.path("type").asText())
        && found.put(mark.textValue(), path) == null;
  }

  /**
   * Returns whether a mark is anywhere below, reached through a keyword that may or may not apply.
   */
  private static boolean isMarked(JsonNode schema) {
    if (schema.isObject() && schema.has(MARK)) {
      return true;
    }
    for (JsonNode member : schema) {
      if (isMarked(member)) {
        return true;
      }
    }
    return false;
  }
}
