package io.actiongovernance.functions.contract;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Describes a route in OpenAPI, using its handler and records. Not thread-safe: referenced schemas
 * are added to the components of one document.
 */
public final class OperationDocument {
  private final Operation operation;
  private final Class<?> input;
  private final Set<String> pathParameters;
  private final boolean inQuery;
  private final PublishedSchemas schemas;

  /**
   * Describes one operation.
   *
   * @param input the record that the handler declares
   * @param pathParameters the names in the route's path
   * @param inQuery whether components outside path and headers are in the query, not in the body
   */
  public OperationDocument(
      Operation operation,
      Class<?> input,
      Set<String> pathParameters,
      boolean inQuery,
      PublishedSchemas schemas) {
    this.operation = operation;
    this.input = input;
    this.pathParameters = pathParameters;
    this.inQuery = inQuery;
    this.schemas = schemas;
  }

  public Operation operation() {
    return operation;
  }

  public record Parameter(String name, String in, ObjectNode told) {}

  /** The parameters; those of the path come first, in path order. */
  public List<Parameter> parameters() {
    List<Parameter> parameters = new ArrayList<>();
    for (String name : pathParameters) {
      Part part =
          Part.of(input).stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow(() -> new IllegalStateException(input + " has no " + name));
      parameters.add(inPath(part));
    }
    for (Part part : Part.of(input)) {
      if (pathParameters.contains(part.name())) {
        continue;
      }
      boolean header = part.field() != null && part.field().in() == Field.In.HEADER;
      if (part.raw() == PageParameters.class) {
        parameters.addAll(Paging.parameters());
      } else if (header || inQuery || isSaidInQuery(part)) {
        parameters.add(parameter(part, header ? "header" : "query"));
      }
    }
    return parameters;
  }

  /**
   * Returns whether a component declares the query as its place, even if the others are in the
   * body.
   */
  private static boolean isSaidInQuery(Part part) {
    return part.field() != null && part.field().in() == Field.In.QUERY;
  }

  private static Parameter inPath(Part part) {
    ObjectNode told = Json.object().put("name", part.name()).put("in", "path");
    told.put("description", Samples.doc(part)).put("required", true);
    // Accept any text: a malformed identifier is not found.
    told.putObject("schema").put("type", "string");
    return new Parameter(part.name(), "path", told);
  }

  private Parameter parameter(Part part, String in) {
    ObjectNode told = Json.object().put("name", part.name()).put("in", in);
    told.put("description", Samples.doc(part));
    if (part.isRequired()) {
      told.put("required", true);
    }
    // A query parameter is either present or absent; it cannot be null.
    Part there = new Part(part.name(), part.type(), false, false, false, part.field());
    ObjectNode schema = schemas.schema(there, PublishedSchemas.Side.REQUEST);
    schema.remove(List.of("description", "examples"));
    told.set("schema", schema);
    JsonNode example = Samples.said(part);
    if (example != null) {
      told.set("example", example);
    }
    return new Parameter(part.name(), in, told);
  }

  /** The request body, without an example; null if there is none. */
  public @Nullable ObjectNode requestBody() {
    if (inQuery) {
      return null;
    }
    List<Part> parts = bodyParts();
    Whole said = input.getAnnotation(Whole.class);
    ObjectNode body = Json.object();
    if (parts.stream().anyMatch(Part::isRequired) || (said != null && said.bodyRequired())) {
      body.put("required", true);
    }
    ObjectNode content = body.putObject("content").putObject("application/json");
    ObjectNode schema = content.putObject("schema");
    if (said != null && said.oneOf().length > 0) {
      var choices = schema.putArray("oneOf");
      for (Class<?> one : said.oneOf()) {
        choices.add(schemas.reference(one, PublishedSchemas.Side.REQUEST));
      }
    } else {
      schema.setAll(schemas.object(input, parts, PublishedSchemas.Side.REQUEST));
    }
    if (parts.isEmpty()) {
      schema.put("description", "No fields.");
    } else if (said != null && !said.doc().isEmpty()) {
      schema.put("description", said.doc());
    }
    return body;
  }

  /** Returns whether a request can omit a required body or a required part of it. */
  public boolean mayLack() {
    ObjectNode body = requestBody();
    return body != null && (body.path("required").asBoolean() || requires(body));
  }

  private boolean requires(JsonNode schema) {
    if (schema.path("required").isArray() && !schema.path("required").isEmpty()) {
      return true;
    }
    String reference = schema.path("$ref").asText();
    JsonNode known = schemas.components().path(reference.replaceFirst(".*/", ""));
    return (!reference.isEmpty() && requires(known))
        || schema.valueStream().anyMatch(this::requires);
  }

  /** Returns whether the operation takes a page's cursor. */
  public boolean pages() {
    return Part.of(input).stream().anyMatch(part -> part.raw() == PageParameters.class);
  }

  /** The successful response. It contains an example unless it is a record or a list of records. */
  public ObjectNode answer() {
    ObjectNode answer = Json.object();
    if (operation.status() == Operation.FOUND) {
      return answer.put("description", operation.summary() + ": redirects the browser.");
    }
    if (!operation.mediaType().isEmpty()) {
      answer.put("description", operation.summary() + ".");
      ObjectNode content = answer.putObject("content").putObject(operation.mediaType());
      boolean json = operation.mediaType().equals("application/json");
      content.putObject("schema").put("type", json ? "object" : "string");
      content.set(
          "example", json ? Json.read(operation.sample()) : TextNode.valueOf(operation.sample()));
      return answer;
    }
    ObjectNode content = Json.object();
    if (operation.list()) {
      answer.put("description", "A page of a list.");
      content.set("schema", Paging.envelope(operation.answer(), schemas));
    } else {
      Doc doc = operation.answer().getAnnotation(Doc.class);
      answer.put("description", doc == null ? operation.summary() + "." : doc.value());
      content.set("schema", schemas.reference(operation.answer(), PublishedSchemas.Side.ANSWER));
    }
    answer.putObject("content").set("application/json", content);
    return answer;
  }

  /** The errors that the operation may return, besides those of every route of its kind. */
  public List<ErrorCode> errors() {
    return List.of(operation.errors());
  }

  private List<Part> bodyParts() {
    return Part.of(input).stream()
        .filter(part -> !pathParameters.contains(part.name()))
        .filter(part -> part.field() == null || part.field().in() == Field.In.DEFAULT)
        .toList();
  }
}
