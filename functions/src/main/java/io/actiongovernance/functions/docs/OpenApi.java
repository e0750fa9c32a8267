package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Scope;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.api.Revision;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The contract as an OpenAPI 3.1 document. Paths, methods, scopes, and the headers and errors that
 * every route has come from the {@link Route} table; what is a route's own is in {@code
 * openapi/operations.json}, by its operation, and the shapes in {@code openapi/schemas.json}.
 * Stateless.
 */
public final class OpenApi {
  private static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
  private static final String JSON = "application/json";

  /** What any request with a key may be answered with. */
  private static final Set<ErrorCode> OF_EVERY_KEY =
      EnumSet.of(
          ErrorCode.INVALID_PARAMETER,
          ErrorCode.UNAUTHENTICATED,
          ErrorCode.KEY_INVALID,
          ErrorCode.KEY_REVOKED,
          ErrorCode.RATE_LIMITED,
          ErrorCode.INTERNAL_ERROR,
          ErrorCode.SERVICE_UNAVAILABLE);

  private static final Set<ErrorCode> OF_EVERY_BODY =
      EnumSet.of(
          ErrorCode.INVALID_JSON,
          ErrorCode.INVALID_REQUEST,
          ErrorCode.MISSING_PARAMETER,
          ErrorCode.TENANT_MISMATCH);

  private final JsonNode operations = resource("operations.json");

  private OpenApi() {}

  /** The document for a service at this address. */
  public static ObjectNode document(URI baseUrl) {
    return new OpenApi().build(baseUrl);
  }

  private ObjectNode build(URI baseUrl) {
    ObjectNode document = Json.object().put("openapi", "3.1.0");
    document
        .putObject("info")
        .put("title", "Action Governance Service")
        .put("version", Revision.LATEST.date())
        .put(
            "description",
            "A model proposes, a deterministic kernel disposes: every side effect is vetted, run at"
                + " most once and receipted.")
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("identifier", "Apache-2.0");
    document.putArray("servers").addObject().put("url", baseUrl.toString());
    ArrayNode tags = document.putArray("tags");
    operations.findValuesAsText("tag").stream()
        .distinct()
        .forEach(tag -> tags.addObject().put("name", tag).put("description", tag + "."));
    ObjectNode paths = document.putObject("paths");
    for (Route route : Route.values()) {
      paths
          .withObjectProperty(route.path())
          .set(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    ObjectNode components = document.putObject("components");
    components.set("schemas", schemas());
    components.set("headers", headers());
    components
        .putObject("securitySchemes")
        .putObject("key")
        .put("type", "http")
        .put("scheme", "bearer")
        .put("description", "An API key: `sk_live_…` or `sk_test_…`.");
    return document;
  }

  private ObjectNode operation(Route route) {
    JsonNode own = operations.path(route.operation());
    if (own.isMissingNode()) {
      throw new IllegalStateException("openapi/operations.json says nothing of " + route);
    }
    ObjectNode operation =
        Json.object()
            .put("operationId", route.operation())
            .put("summary", own.path("summary").textValue())
            .put("description", description(route, own));
    operation.putArray("tags").add(own.path("tag").textValue());
    ArrayNode security = operation.putArray("security");
    if (route.rateClass() != null) {
      security.addObject().putArray("key");
    }
    operation.set("parameters", parameters(route, own));
    if (own.has("body")) {
      operation.set("requestBody", requestBody(own));
    }
    operation.set("responses", responses(route, own));
    return operation;
  }

  private static String description(Route route, JsonNode own) {
    List<String> lines = new ArrayList<>();
    if (own.has("description")) {
      lines.add(own.path("description").textValue());
    }
    if (route.scope() != null) {
      lines.add("Scope: `" + route.scope().wire() + "`.");
    } else {
      lines.add(route.rateClass() == null ? "Needs no key." : "Any key will do.");
    }
    return String.join("\n\n", lines);
  }

  private static ArrayNode parameters(Route route, JsonNode own) {
    ArrayNode parameters = Json.object().putArray("parameters");
    Matcher named = PARAMETER.matcher(route.path());
    while (named.find()) {
      parameter(parameters, "path", named.group(1), "Names the resource.").put("required", true);
    }
    for (JsonNode query : own.path("query")) {
      if (query.isTextual()) {
        page(parameters);
      } else {
        ObjectNode parameter =
            parameter(
                parameters,
                "query",
                query.path("name").textValue(),
                query.path("description").asText("Only what has this value."));
        parameter.set("schema", query.path("schema"));
      }
    }
    if (route.method().takesIdempotencyKey()) {
      parameter(
          parameters,
          "header",
          "Idempotency-Key",
          "The same request under the same key takes effect once, within 24 hours.");
    }
    if (route.rateClass() != null) {
      parameter(
          parameters, "header", "Service-Version", "A published revision; left out: the latest.");
    }
    return parameters;
  }

  private static void page(ArrayNode parameters) {
    parameter(
            parameters, "query", "limit", "How many at most; before 2026-09-01 the default is 10.")
        .putObject("schema")
        .put("type", "integer")
        .put("minimum", 1)
        .put("maximum", 100)
        .put("default", 20);
    parameter(parameters, "query", "cursor", "The `next_cursor` of the page before.");
  }

  private static ObjectNode parameter(
      ArrayNode parameters, String in, String name, String description) {
    ObjectNode parameter =
        parameters.addObject().put("name", name).put("in", in).put("description", description);
    parameter.putObject("schema").put("type", "string");
    return parameter;
  }

  private static ObjectNode requestBody(JsonNode own) {
    ObjectNode body = Json.object();
    if (own.path("body_required").asBoolean()) {
      body.put("required", true);
    }
    ObjectNode content = body.putObject("content").putObject(JSON);
    content.set("schema", own.path("body"));
    if (own.has("example")) {
      content.set("example", own.path("example"));
    }
    return body;
  }

  private static ObjectNode responses(Route route, JsonNode own) {
    ObjectNode responses = Json.object();
    ObjectNode success = responses.putObject(own.path("status").asText());
    success.put("description", own.path("summary").textValue() + ": done.");
    success.set("headers", headerReferences(route, false));
    String answer = own.path("answer").textValue();
    if (answer.contains("/")) {
      success.putObject("content").putObject(answer);
    } else {
      success
          .putObject("content")
          .putObject(JSON)
          .putObject("schema")
          .put("$ref", "#/components/schemas/" + answer);
    }
    if (own.path("status").asInt() != 200 && route.method().takesIdempotencyKey()) {
      ObjectNode replayed = success.deepCopy();
      replayed.put("description", "The stored answer, under the same Idempotency-Key.");
      responses.set("200", replayed);
    }
    TreeMap<Integer, List<String>> errors = new TreeMap<>();
    for (ErrorCode code : errors(route, own)) {
      errors.computeIfAbsent(code.status(), _ -> new ArrayList<>()).add("`" + code.wire() + "`");
    }
    errors.forEach(
        (status, codes) -> {
          ObjectNode error = responses.putObject(status.toString());
          error.put("description", String.join(", ", codes) + ".");
          error.set("headers", headerReferences(route, true));
          error
              .putObject("content")
              .putObject(JSON)
              .putObject("schema")
              .put("$ref", "#/components/schemas/Error");
        });
    return responses;
  }

  private static Set<ErrorCode> errors(Route route, JsonNode own) {
    EnumSet<ErrorCode> errors = EnumSet.of(ErrorCode.INVALID_PARAMETER, ErrorCode.RATE_LIMITED);
    if (route.rateClass() != null) {
      errors.addAll(OF_EVERY_KEY);
    }
    if (route.scope() != null) {
      errors.add(ErrorCode.INSUFFICIENT_SCOPE);
    }
    if (!route.method().reads()) {
      errors.addAll(OF_EVERY_BODY);
    }
    if (route.method().takesIdempotencyKey()) {
      errors.add(ErrorCode.IDEMPOTENCY_CONFLICT);
      errors.add(ErrorCode.IDEMPOTENCY_IN_PROGRESS);
    }
    if (PARAMETER.matcher(route.path()).find() || own.has("body")) {
      errors.add(ErrorCode.NOT_FOUND);
    }
    for (JsonNode query : own.path("query")) {
      if (query.isTextual()) {
        errors.add(ErrorCode.INVALID_CURSOR);
      }
    }
    for (JsonNode code : own.path("errors")) {
      errors.add(ErrorCode.valueOf(code.textValue().toUpperCase(Locale.ROOT)));
    }
    return errors;
  }

  private static ObjectNode headerReferences(Route route, boolean error) {
    ObjectNode headers = Json.object();
    for (String name : Headers.OF_EVERY_RESPONSE) {
      headers.putObject(name).put("$ref", "#/components/headers/" + name);
    }
    if (error) {
      headers.putObject("Retry-After").put("$ref", "#/components/headers/Retry-After");
    } else if (route.method().takesIdempotencyKey()) {
      headers
          .putObject("Idempotent-Replayed")
          .put("$ref", "#/components/headers/Idempotent-Replayed");
    }
    return headers;
  }

  private static ObjectNode headers() {
    ObjectNode headers = Json.object();
    Headers.DESCRIPTIONS.forEach(
        (name, description) ->
            headers
                .putObject(name)
                .put("description", description)
                .putObject("schema")
                .put("type", Headers.NUMBERS.contains(name) ? "integer" : "string"));
    return headers;
  }

  private static JsonNode schemas() {
    ObjectNode schemas = (ObjectNode) resource("schemas.json");
    fill(
        schemas.withObjectProperty("ErrorCode"),
        Arrays.stream(ErrorCode.values()).map(ErrorCode::wire).toList());
    fill(
        schemas.withObjectProperty("Scope"),
        Arrays.stream(Scope.values()).map(Scope::wire).toList());
    return schemas;
  }

  private static void fill(ObjectNode schema, List<String> values) {
    ArrayNode choices = schema.putArray("enum");
    values.forEach(choices::add);
  }

  private static JsonNode resource(String name) {
    try (InputStream in = OpenApi.class.getResourceAsStream("/openapi/" + name)) {
      return Json.read(
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
