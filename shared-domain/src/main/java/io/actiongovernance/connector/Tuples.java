package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;

/**
 * Rewrites the tuples of schemas up to draft-07 in the form of JSON Schema 2020-12. A list in
 * {@code items} becomes {@code prefixItems}, and {@code additionalItems} beside it becomes {@code
 * items}. Stateless.
 */
final class Tuples {
  private static final String ITEMS = "items";
  private static final String PREFIX = "prefixItems";
  private static final String ADDITIONAL = "additionalItems";

  private Tuples() {}

  static JsonNode rewritten(JsonNode schema) {
    if (!(schema instanceof ObjectNode old)) {
      return schema;
    }
    boolean tuple = old.path(ITEMS).isArray() && !old.has(PREFIX);
    ObjectNode rewritten = Json.object();
    for (var member : old.properties()) {
      String keyword = member.getKey();
      JsonNode value = member.getValue();
      if (tuple && keyword.equals(ITEMS)) {
        if (!value.isEmpty()) {
          rewritten.set(PREFIX, each(value));
        }
        if (old.has(ADDITIONAL)) {
          rewritten.set(ITEMS, rewritten(old.get(ADDITIONAL)));
        }
      } else if (!tuple || !keyword.equals(ADDITIONAL)) {
        rewritten.set(keyword, within(keyword, value));
      }
    }
    return rewritten;
  }

  private static JsonNode within(String keyword, JsonNode value) {
    if (SchemaKeywords.SCHEMA.contains(keyword)) {
      return rewritten(value);
    }
    if (SchemaKeywords.LIST.contains(keyword)) {
      return each(value);
    }
    if (SchemaKeywords.NAMED.contains(keyword) && value.isObject()) {
      ObjectNode named = Json.object();
      value.properties().forEach(one -> named.set(one.getKey(), rewritten(one.getValue())));
      return named;
    }
    return value;
  }

  private static JsonNode each(JsonNode schemas) {
    if (!schemas.isArray()) {
      return schemas;
    }
    ArrayNode all = Json.object().arrayNode();
    schemas.forEach(schema -> all.add(rewritten(schema)));
    return all;
  }
}
