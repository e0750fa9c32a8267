package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.util.Set;

/**
 * A JSON Schema without its descriptive texts. The rest determines which arguments fit. Parts that
 * are not schemas, such as a constant or an unknown keyword, stay as they are.
 */
final class Wordless {
  private static final Set<String> WORDS = Set.of("title", "description", "$comment");

  private Wordless() {}

  /** Returns the schema without its descriptive texts; a boolean is a schema too. */
  static JsonNode of(JsonNode schema) {
    if (!(schema instanceof ObjectNode object)) {
      return schema;
    }
    ObjectNode rest = Json.object();
    for (var member : object.properties()) {
      String keyword = member.getKey();
      JsonNode value = member.getValue();
      if (!WORDS.contains(keyword) || !value.isTextual()) {
        rest.set(keyword, within(keyword, value));
      }
    }
    return rest;
  }

  private static JsonNode within(String keyword, JsonNode value) {
    if (SchemaKeywords.NAMED.contains(keyword) && value instanceof ObjectNode named) {
      ObjectNode rest = Json.object();
      named.properties().forEach(one -> rest.set(one.getKey(), of(one.getValue())));
      return rest;
    }
    if (!SchemaKeywords.SCHEMA.contains(keyword) && !SchemaKeywords.LIST.contains(keyword)) {
      return value;
    }
    if (value instanceof ArrayNode list) {
      ArrayNode rest = Json.object().arrayNode();
      list.forEach(one -> rest.add(of(one)));
      return rest;
    }
    return of(value);
  }
}
