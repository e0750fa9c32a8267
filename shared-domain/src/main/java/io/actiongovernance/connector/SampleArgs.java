package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import java.math.BigDecimal;

/**
 * Arguments such as a tool's schema asks for: what it requires, and nothing else. An attempt: for
 * what goes beyond types, bounds and lists of choices, the schema itself has the last word.
 */
final class SampleArgs {
  private static final int DEEPEST = 10;
  private static final int LONGEST = 1_000;

  private SampleArgs() {}

  static ObjectNode of(JsonNode schema) {
    return object(schema, DEEPEST);
  }

  private static ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = Json.object();
    for (JsonNode name : schema.path("required")) {
      JsonNode property = schema.path("properties").path(name.asText());
      object.set(name.asText(), value(property, depth - 1));
    }
    return object;
  }

  private static JsonNode value(JsonNode schema, int depth) {
    if (schema.has("const")) {
      return schema.get("const");
    }
    if (!schema.path("enum").isEmpty()) {
      return schema.path("enum").get(0);
    }
    return switch (depth > 0 ? type(schema) : "null") {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "number", "integer" -> DecimalNode.valueOf(number(schema));
      case "boolean" -> BooleanNode.TRUE;
      case "null" -> NullNode.instance;
      default -> TextNode.valueOf("x".repeat(count(schema.path("minLength").asInt(1))));
    };
  }

  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isArray() && !type.isEmpty()) {
      return type.get(0).asText();
    }
    return type.asText(schema.has("properties") ? "object" : "string");
  }

  private static ArrayNode array(JsonNode schema, int depth) {
    ArrayNode array = Json.object().arrayNode();
    int count = count(schema.path("minItems").asInt(0));
    for (int at = 0; at < count; at++) {
      array.add(value(schema.path("items"), depth - 1));
    }
    return array;
  }

  private static BigDecimal number(JsonNode schema) {
    if (schema.path("minimum").isNumber()) {
      return schema.get("minimum").decimalValue();
    }
    if (schema.path("exclusiveMinimum").isNumber()) {
      return schema.get("exclusiveMinimum").decimalValue().add(BigDecimal.ONE);
    }
    return schema.path("maximum").isNumber()
        ? schema.get("maximum").decimalValue()
        : BigDecimal.ONE;
  }

  private static int count(int wanted) {
    return Math.min(Math.max(wanted, 0), LONGEST);
  }
}
