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
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Sample arguments for a tool's schema: the arguments that it requires, and no others. This is a
 * best effort: it follows types, bounds, lists of choices and simple patterns, and only the schema
 * itself decides. However many items a schema asks for, the {@link SchemaBudget} bounds the work.
 */
final class SampleArgs {
  private static final int DEEPEST = 10;
  private static final int LONGEST = 1_000;
  private static final Set<String> NUMBERS = Set.of("number", "integer");

  /** Letters that stand for themselves, unless followed by a quantifier. */
  private static final Pattern START =
      Pattern.compile(
          "\\^(?:\\((?<choice>[\\w-]+)(?:\\|[\\w|-]+)*\\))?(?<literal>(?:[\\w:/=-](?![?*+{]))*)");

  /** Endings that patterns of identifiers, amounts and dates require. */
  private static final List<String> ENDS =
      Stream.concat(
              Stream.of("", "x.x", "1.1", "1.00", "2026-01-31", "A-1", "a@example.com"),
              Stream.of("x", "1", "A", "a")
                  .flatMap(
                      one ->
                          Stream.of(1, 2, 3, 4, 8, 10, 16, 20, 24, 26, 32, 36, 40, 64)
                              .map(one::repeat)))
          .toList();

  private SampleArgs() {}

  static ObjectNode of(JsonNode schema) {
    return object(schema, DEEPEST);
  }

  private static ObjectNode object(JsonNode schema, int depth) {
    ObjectNode object = Json.object();
    Stream.of(schema, schema.at("/anyOf/0"), schema.at("/oneOf/0"))
        .flatMap(part -> part.path("required").valueStream())
        .map(JsonNode::asText)
        .forEach(name -> add(object, name, schema, depth));
    int fewest = count(schema.path("minProperties").asInt(0));
    Iterator<String> others = schema.path("properties").fieldNames();
    while (object.size() < fewest) {
      add(object, others.hasNext() ? others.next() : "x" + object.size(), schema, depth);
    }
    return object;
  }

  private static void add(ObjectNode object, String name, JsonNode schema, int depth) {
    JsonNode named = schema.path("properties").path(name);
    JsonNode property = named.isMissingNode() ? schema.path("additionalProperties") : named;
    object.set(name, value(property, depth - 1));
  }

  private static JsonNode value(JsonNode schema, int depth) {
    SchemaBudget.inForce().spend(SchemaBudget.PART);
    if (schema.has("const")) {
      return counted(schema.get("const"));
    }
    if (!schema.path("enum").isEmpty()) {
      return counted(schema.path("enum").get(0));
    }
    return switch (depth > 0 ? type(schema) : "null") {
      case "object" -> object(schema, depth);
      case "array" -> array(schema, depth);
      case "number", "integer" -> DecimalNode.valueOf(number(schema));
      case "boolean" -> BooleanNode.TRUE;
      case "null" -> NullNode.instance;
      default -> TextNode.valueOf(text(schema));
    };
  }

  /** Counts the whole value, because readers of the sample examine all of it. */
  private static JsonNode counted(JsonNode value) {
    SchemaBudget.inForce().spend(SchemaBudget.LOOK * SchemaBudget.wholeSize(value));
    return value;
  }

  /** Returns a text that fits the pattern, if the schema has a pattern that is easily guessed. */
  private static String text(JsonNode schema) {
    String plain = "x".repeat(count(schema.path("minLength").asInt(1)));
    SchemaBudget.inForce().spend(plain.length());
    if (!schema.has("pattern")) {
      return plain;
    }
    ObjectNode asked = Json.object();
    asked.putObject("properties").set("text", schema);
    InputSchema pattern = new InputSchema(asked);
    String start = start(schema.get("pattern").asText());
    return ENDS.stream()
        .map(start::concat)
        .filter(text -> pattern.problem(Json.object().put("text", text)).isEmpty())
        .findFirst()
        .orElse(plain);
  }

  /**
   * Returns the beginning that all fitting texts share. Of several choices it takes the first, as
   * in ^(ch|py)_.
   */
  private static String start(String pattern) {
    Matcher matcher = START.matcher(pattern);
    if (!matcher.lookingAt()) {
      return "";
    }
    String choice = matcher.group("choice");
    return (choice == null ? "" : choice) + matcher.group("literal");
  }

  private static String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (type.isArray() && !type.isEmpty()) {
      // A pattern constrains only texts.
      return type.valueStream()
          .map(JsonNode::asText)
          .filter(NUMBERS::contains)
          .findFirst()
          .orElse(type.get(0).asText());
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
