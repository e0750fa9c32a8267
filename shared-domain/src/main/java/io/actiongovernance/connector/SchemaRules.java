package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.ValidationMessage;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Rules of JSON Schema 2020-12 for schemas themselves. The metaschema is applied to one subschema
 * after the other, each time without its nested subschemas. If it were applied to the whole schema,
 * it would be compiled for every path through the schema, and there are more paths than subschemas.
 */
final class SchemaRules {
  private static final List<JsonSchema> VOCABULARIES =
      Stream.of("core", "applicator", "unevaluated", "validation", "meta-data", "content")
          .map(SchemaRules::vocabulary)
          .toList();

  private SchemaRules() {}

  /** Returns the rule that the schema breaks, in one sentence; empty if none. */
  static Optional<String> broken(JsonNode schema) {
    return broken(schema, "$");
  }

  private static Optional<String> broken(JsonNode schema, String at) {
    return SchemaBudget.inForce()
        .deeper(
            () ->
                VOCABULARIES.stream()
                    .flatMap(rules -> rules.validate(schema).stream())
                    .map(ValidationMessage::getMessage)
                    .min(Comparator.naturalOrder())
                    .map(message -> at + message.replaceFirst("^\\$", ""))
                    .or(() -> brokenWithin(schema, at)));
  }

  private static Optional<String> brokenWithin(JsonNode schema, String at) {
    return schema.properties().stream()
        .map(member -> brokenMember(member.getKey(), member.getValue(), at + "." + member.getKey()))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static Optional<String> brokenMember(String keyword, JsonNode value, String at) {
    if (SchemaKeywords.SCHEMA.contains(keyword)) {
      return broken(value, at);
    }
    if (SchemaKeywords.LIST.contains(keyword) || SchemaKeywords.NAMED.contains(keyword)) {
      return value
          .valueStream()
          .map(each -> broken(each, at))
          .flatMap(Optional::stream)
          .findFirst();
    }
    return Optional.empty();
  }

  private static JsonSchema vocabulary(String name) {
    String resource = "/draft/2020-12/meta/" + name;
    try (InputStream in = JsonSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("The library has no " + resource);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      ObjectNode json = (ObjectNode) Json.read(text);
      json.remove(List.of("$schema", "$id", "$vocabulary", "$dynamicAnchor"));
      cut(json);
      return new SchemaBudget(SchemaBudget.STEPS)
          .run(
              () -> {
                JsonSchema compiled = Schemas.compile(json);
                compiled.initializeValidators();
                return compiled;
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Makes the rules accept any object or boolean as a subschema. */
  private static void cut(JsonNode rules) {
    if (rules instanceof ObjectNode object && object.remove("$dynamicRef") != null) {
      object.putArray("type").add("object").add("boolean");
    }
    rules.forEach(SchemaRules::cut);
  }
}
