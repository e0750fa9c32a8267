package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Everything that others may rely on, a line each: operations, parameters, fields with their types
 * and constraints, codes of errors, and the names of functions and metrics. Components have no
 * names of their own here: a shape is called by the {@code object} that it says it is, or by where
 * it stands first.
 */
final class PublishedSurface {
  private static final List<String> CONSTRAINTS =
      List.of(
          "const",
          "enum",
          "format",
          "pattern",
          "minLength",
          "maxLength",
          "minimum",
          "maximum",
          "minItems",
          "maxItems",
          "uniqueItems",
          "additionalProperties");

  private static final List<String> CHOICES = List.of("oneOf", "anyOf", "allOf");

  private final JsonNode document;
  private final List<String> lines = new ArrayList<>();

  /** Where each shape that is shared is told, by what is told of it. */
  private final Map<List<String>, String> told = new HashMap<>();

  private final Set<String> names = new HashSet<>();

  /** What requests are made of. */
  private final Set<String> asked = new HashSet<>();

  private boolean inRequest;

  private PublishedSurface(JsonNode document) {
    this.document = document;
  }

  /** The surface as a document tells it. */
  static PublishedSurface of(JsonNode document) {
    PublishedSurface surface = new PublishedSurface(document);
    for (Route route : Routes.all()) {
      surface.lines.add("function " + route.operation());
    }
    for (Trigger trigger : Trigger.values()) {
      surface.lines.add("function " + trigger.binding().function());
    }
    for (Metrics.Metric metric : Metrics.Metric.values()) {
      surface.lines.add("metric " + metric.wire());
    }
    surface.operations(document.path("paths"), "");
    document.path("paths").forEach(path -> path.forEach(operation -> surface.callbacks(operation)));
    return surface;
  }

  private void operations(JsonNode paths, String within) {
    paths
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        method ->
                            operation(
                                method.getKey() + " " + within + path.getKey(),
                                method.getValue())));
  }

  /** What the service calls itself, at the address that an operation was given. */
  private void callbacks(JsonNode operation) {
    operation
        .path("callbacks")
        .properties()
        .forEach(callback -> operations(callback.getValue(), callback.getKey() + " "));
  }

  /** In alphabetical order. */
  List<String> lines() {
    return List.copyOf(new TreeSet<>(lines));
  }

  /** Whether a line says that something is required of a request. */
  boolean isAsked(String line) {
    boolean inOne = asked.stream().anyMatch(line::startsWith);
    return line.contains(" required ")
        && (inOne || line.matches("(?!deliver-)[a-z-]+ (path|query|header|body) .*"));
  }

  private void operation(String address, JsonNode operation) {
    String at = operation.path("operationId").asText();
    lines.add(at + " is " + address);
    for (JsonNode parameter : operation.path("parameters")) {
      JsonNode known = resolved(parameter);
      String where = known.path("in").asText() + " " + known.path("name").asText();
      shape(at + " " + where, known.path("schema"), known.path("required").asBoolean());
    }
    JsonNode body = resolved(operation.path("requestBody"));
    // A webhook's request is ours.
    inRequest = !at.startsWith("deliver-");
    for (JsonNode content : body.path("content")) {
      shape(at + " body", content.path("schema"), body.path("required").asBoolean());
    }
    inRequest = false;
    List<JsonNode> responses = operation.path("responses").valueStream().toList();
    operation
        .path("responses")
        .properties()
        .forEach(
            each -> {
              JsonNode response = resolved(each.getValue());
              response(at + " " + each.getKey(), response);
              each.getValue()
                  .path("headers")
                  .fieldNames()
                  .forEachRemaining(
                      name -> {
                        boolean always =
                            responses.stream().allMatch(one -> one.path("headers").has(name));
                        lines.add(at + " " + (always ? "any" : each.getKey()) + " with " + name);
                      });
            });
  }

  private void response(String at, JsonNode response) {
    response
        .path("content")
        .properties()
        .forEach(
            content -> {
              shape(at + " " + content.getKey(), content.getValue().path("schema"), false);
              if (!at.matches(".* 2\\d\\d")) {
                content
                    .getValue()
                    .path("examples")
                    .fieldNames()
                    .forEachRemaining(code -> lines.add(at + " code " + code));
              }
            });
  }

  private void shape(String at, JsonNode schema, boolean required) {
    lines.add(at + " " + (required ? "required " : "") + shape(schema, at, Set.of()));
  }

  /** What a schema is, in a word where it is told elsewhere. */
  private String shape(JsonNode schema, String at, Set<String> within) {
    String reference = schema.path("$ref").asText();
    if (within.contains(reference)) {
      return "recursive";
    }
    Set<String> inside = new HashSet<>(within);
    if (!reference.isEmpty()) {
      inside.add(reference);
    }
    JsonNode known = resolved(schema);
    List<String> parts = new ArrayList<>();
    for (String choice : CHOICES) {
      int number = 0;
      for (JsonNode each : known.path(choice)) {
        parts.add(" " + choice + " " + number + " " + shape(each, at + number, inside));
        number++;
      }
    }
    Set<String> required = new HashSet<>();
    known.path("required").forEach(name -> required.add(name.asText()));
    known
        .path("properties")
        .properties()
        .forEach(
            field ->
                parts.add(
                    "."
                        + field.getKey()
                        + " "
                        + (required.contains(field.getKey()) ? "required " : "")
                        + shape(field.getValue(), at + "." + field.getKey(), inside)));
    if (known.has("items")) {
      parts.add("[] " + shape(known.path("items"), at + "[]", inside));
    }
    String self = self(known);
    if (parts.isEmpty()) {
      return self;
    }
    String name = told.computeIfAbsent(key(self, parts), key -> name(known, at));
    parts.forEach(part -> lines.add(name + part));
    if (inRequest) {
      asked.add(name);
    }
    return self + " " + name;
  }

  private static List<String> key(String self, List<String> parts) {
    List<String> key = new ArrayList<>(parts);
    key.add(self);
    return key;
  }

  private String name(JsonNode schema, String at) {
    String said = schema.at("/properties/object/const").asText();
    return "<" + (!said.isEmpty() && names.add(said) ? said : at) + ">";
  }

  private static String self(JsonNode schema) {
    StringBuilder self = new StringBuilder(schema.path("type").isMissingNode() ? "any" : "");
    schema
        .path("type")
        .forEach(type -> self.append(self.isEmpty() ? "" : "|").append(type.asText()));
    if (schema.path("type").isTextual()) {
      self.append(schema.path("type").asText());
    }
    for (String constraint : CONSTRAINTS) {
      JsonNode value = schema.path(constraint);
      if (!value.isMissingNode() && !value.isObject()) {
        self.append(' ').append(constraint).append('=').append(Json.write(value));
      }
    }
    return self.toString();
  }

  private JsonNode resolved(JsonNode node) {
    JsonNode known = node;
    while (known.has("$ref")) {
      known = document.at(known.path("$ref").asText().substring(1));
    }
    return known;
  }
}
