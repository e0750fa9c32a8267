package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All schemas that apply to one place in a tool's arguments, by {@code properties}, {@code allOf}
 * and references within the schema. Schemas that apply only in some cases are left out. Immutable.
 */
final class SchemaPart {
  private final JsonNode root;
  private final Set<JsonNode> schemas;

  private SchemaPart(JsonNode root, Collection<JsonNode> applied) {
    this.root = root;
    this.schemas = Collections.newSetFromMap(new IdentityHashMap<>());
    Deque<JsonNode> next = new ArrayDeque<>(applied);
    while (!next.isEmpty()) {
      JsonNode schema = next.remove();
      if (schema.isObject() && schemas.add(schema)) {
        schema.path("allOf").forEach(next::add);
        next.add(referred(schema.path("$ref").asText()));
      }
    }
  }

  private JsonNode referred(String reference) {
    return reference.equals("#") || reference.startsWith("#/")
        ? root.at(reference.substring(1))
        : root.path("");
  }

  /** Returns the place of the arguments as a whole. */
  static SchemaPart of(InputSchema schema) {
    return new SchemaPart(schema.json(), List.of(schema.json()));
  }

  /** Returns the place of a member of this object. */
  SchemaPart member(String name) {
    return new SchemaPart(
        root, schemas.stream().map(schema -> schema.path("properties").path(name)).toList());
  }

  Stream<String> names() {
    return schemas.stream()
        .flatMap(schema -> schema.path("properties").propertyStream())
        .map(Map.Entry::getKey);
  }

  boolean names(String member) {
    return names().anyMatch(member::equals);
  }

  /** Returns whether an object here may have only the members that the schema names. */
  boolean isClosed() {
    return schemas.stream()
        .anyMatch(
            schema ->
                (isFalse(schema, "additionalProperties") && !schema.has("patternProperties"))
                    || isFalse(schema, "unevaluatedProperties"));
  }

  private static boolean isFalse(JsonNode schema, String keyword) {
    return schema.path(keyword).isBoolean() && !schema.path(keyword).booleanValue();
  }
}
