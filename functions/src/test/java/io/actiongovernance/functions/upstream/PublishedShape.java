package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.InputSchema;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The operations of a source system as it has published them: an excerpt of its description, in the
 * resources {@code upstream/published/}. {@code query} has the schemas of the parameters, {@code
 * body} that of the body, {@code answer} as much of the answer's as manifests point into.
 */
record PublishedShape(JsonNode operations) {

  static PublishedShape of(Listing listing) {
    String name = "/upstream/published/" + listing.id() + ".json";
    try (InputStream in = PublishedShape.class.getResourceAsStream(name)) {
      byte[] text = Objects.requireNonNull(in, name).readAllBytes();
      return new PublishedShape(
          Json.read(new String(text, StandardCharsets.UTF_8)).path("operations"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What is wrong with a request; nothing if the source system has published that it takes it. */
  List<String> problems(Upstream.Seen seen) {
    Optional<JsonNode> found = operation(seen);
    if (found.isEmpty()) {
      return List.of("There is no " + seen.method() + " " + path(seen));
    }
    JsonNode operation = found.get();
    List<String> problems = new ArrayList<>();
    ObjectNode query = form(URI.create(seen.path()).getRawQuery(), operation.path("query"));
    query
        .properties()
        .forEach(
            parameter -> {
              JsonNode schema = operation.path("query").path(parameter.getKey());
              if (schema.isMissingNode()) {
                problems.add("There is no parameter " + parameter.getKey());
              } else {
                problem(schema, parameter.getValue())
                    .ifPresent(what -> problems.add(parameter.getKey() + ": " + what));
              }
            });
    texts(operation.path("required_query"))
        .filter(name -> !query.has(name))
        .forEach(name -> problems.add("The parameter " + name + " is missing"));
    texts(operation.path("headers"))
        .filter(name -> seen.header(name).isEmpty())
        .forEach(name -> problems.add("The header " + name + " is missing"));
    body(operation, seen, problems);
    return problems;
  }

  private static void body(JsonNode operation, Upstream.Seen seen, List<String> problems) {
    JsonNode schema = operation.path("body");
    if (schema.isMissingNode()) {
      // An object without members asks for nothing.
      if (!seen.body().isEmpty() && !seen.body().equals("{}")) {
        problems.add("It takes no body");
      }
      return;
    }
    if (seen.body().isEmpty()) {
      if (schema.has("required")) {
        problems.add("It needs a body");
      }
      return;
    }
    String type = operation.path("content_type").textValue();
    if (!seen.header("Content-type").equals(type)) {
      problems.add("Its body is " + type);
      return;
    }
    JsonNode sent =
        type.endsWith("json")
            ? Json.read(seen.body())
            : form(seen.body(), schema.path("properties"));
    problem(schema, sent).ifPresent(problems::add);
  }

  /** Whether the operation's answer has a value at this JSON Pointer. */
  boolean answers(Upstream.Seen seen, String pointer) {
    JsonNode schema = operation(seen).orElseThrow().path("answer");
    for (String name : pointer.substring(1).split("/")) {
      schema = schema.path("properties").path(name);
    }
    return !schema.isMissingNode();
  }

  private Optional<JsonNode> operation(Upstream.Seen seen) {
    return StreamSupport.stream(operations.spliterator(), false)
        .filter(one -> one.path("method").textValue().equals(seen.method()))
        .filter(one -> fits(one.path("path").textValue(), path(seen)))
        .findFirst();
  }

  private static boolean fits(String template, String path) {
    String[] parts = template.split("/");
    String[] segments = path.split("/");
    boolean fits = parts.length == segments.length;
    for (int at = 0; fits && at < parts.length; at++) {
      fits = parts[at].startsWith("{") || parts[at].equals(segments[at]);
    }
    return fits;
  }

  private static String path(Upstream.Seen seen) {
    return seen.path().replaceFirst("\\?.*", "");
  }

  private static Optional<String> problem(JsonNode schema, JsonNode value) {
    // A schema of arguments is that of an object.
    ObjectNode wrapped = Json.object().put("type", "object");
    wrapped.putObject("properties").set("it", schema);
    ObjectNode instance = Json.object();
    return new InputSchema(wrapped).problem(instance.set("it", value));
  }

  /**
   * The fields of a form: nested ones as objects, those of a list in one, and a text as the number
   * or the truth value that its schema asks for.
   */
  private static ObjectNode form(@Nullable String text, JsonNode schemas) {
    ObjectNode form = Json.object();
    if (text == null || text.isEmpty()) {
      return form;
    }
    for (String field : text.split("&")) {
      String[] named = field.split("=", 2);
      String name = decoded(named[0]);
      String value = decoded(named[1]);
      String type = schemas.path(name).path("type").asText();
      if (type.equals("integer") && value.matches("-?[0-9]{1,18}")) {
        form.put(name, Long.parseLong(value));
      } else if (type.equals("boolean") && value.matches("true|false")) {
        form.put(name, value.equals("true"));
      } else if (type.equals("array")) {
        form.withArrayProperty(name).add(value);
      } else if (schemas.has(name) || !name.contains("[")) {
        form.put(name, value);
      } else {
        form.withObjectProperty(name.substring(0, name.indexOf('[')))
            .put(name.substring(name.indexOf('[') + 1, name.length() - 1), value);
      }
    }
    return form;
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  private static Stream<String> texts(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).map(JsonNode::textValue);
  }
}
