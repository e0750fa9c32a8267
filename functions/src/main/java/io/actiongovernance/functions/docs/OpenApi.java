package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PublishedSchemas;
import io.actiongovernance.functions.contract.Told;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The contract as an OpenAPI 3.1 document. Paths, methods, scopes, and the headers and errors that
 * every route has come from the {@link Route} table; what is a route's own is in {@code
 * openapi/operations.json}, by its operation, what several have in common in {@code
 * parameters.json}, {@code schemas.json} and {@code examples.json} beside it. {@link Webhooks}
 * tells what the service posts itself. Stateless.
 */
public final class OpenApi {
  static final Pattern PARAMETER = Pattern.compile("\\{([a-z_]+)}");
  static final String JSON = "application/json";

  private static final String PARAMETERS = "#/components/parameters/";

  private final URI baseUrl;
  private final JsonNode operations = resource("/openapi/operations.json");
  private final JsonNode examples = resource("/openapi/examples.json");
  private final ObjectNode schemas = schemas();
  private final PublishedSchemas walked = new PublishedSchemas();
  private final Responses responses = new Responses(schemas, examples);
  private final Webhooks webhooks = new Webhooks(schemas, examples);

  private OpenApi(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /** The document for a service at this address. */
  public static ObjectNode document(URI baseUrl) {
    return new OpenApi(baseUrl).build();
  }

  private ObjectNode build() {
    ObjectNode document = Json.object().put("openapi", "3.1.0");
    document.set("info", info());
    document.putArray("servers").addObject().put("url", baseUrl.toString());
    ArrayNode tags = document.putArray("tags");
    resource("/openapi/tags.json")
        .properties()
        .forEach(
            tag ->
                tags.addObject()
                    .put("name", tag.getKey())
                    .put("description", tag.getValue().textValue()));
    ObjectNode paths = document.putObject("paths");
    for (Route route : Route.values()) {
      paths
          .withObjectProperty(route.path())
          .set(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    document.set("webhooks", webhooks.all());
    ObjectNode parameters = parameters(document);
    ObjectNode components = document.putObject("components");
    components.set("schemas", schemas);
    schemas.setAll(webhooks.schemas());
    schemas.setAll(walked.components());
    components.set("parameters", parameters);
    components.set("headers", Headers.components());
    components.set("examples", Responses.errorExamples(baseUrl));
    components
        .putObject("securitySchemes")
        .putObject("key")
        .put("type", "http")
        .put("scheme", "bearer")
        .put("description", "An API key: `sk_live_…` or `sk_test_…`.");
    return document;
  }

  private ObjectNode info() {
    ObjectNode info =
        Json.object()
            .put("title", "Action Governance Service")
            .put("version", Revision.LATEST.date())
            .put(
                "description",
                "A model proposes, a deterministic kernel disposes: every side effect is vetted,"
                    + " run at most once and receipted.");
    info.putObject("contact")
        .put("name", "Whoever runs this deployment")
        .put("url", baseUrl + "/docs");
    info.putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
    return info;
  }

  /** What the route's handler tells of it, or null if it does not. */
  private @Nullable Told told(Route route) {
    Class<?> handler = route.handlerType();
    Operation said = handler.getAnnotation(Operation.class);
    return said == null
        ? null
        : new Told(
            said,
            RouteHandler.inputOf(handler),
            route.pathParameters(),
            route.method().reads(),
            walked);
  }

  private ObjectNode operation(Route route, Told told) {
    ObjectNode operation =
        Json.object()
            .put("operationId", route.operation())
            .put("summary", told.operation().summary())
            .put("description", description(route, told.operation().description()));
    operation.putArray("tags").add(told.operation().tag().title());
    ArrayNode security = operation.putArray("security");
    if (route.rateClass() != null) {
      security.addObject().putArray("key");
    }
    ArrayNode parameters = operation.putArray("parameters");
    told.parameters().forEach(parameter -> parameters.add(parameter.told()));
    if (route.method().takesIdempotencyKey()) {
      reference(parameters, "Idempotency-Key");
    }
    reference(parameters, "Service-Version");
    ObjectNode body = told.requestBody();
    // Of a deletion nothing is published: what comes with it is as good as none.
    if (body != null && route.method() != Route.Method.DELETE) {
      operation.set("requestBody", body);
    }
    operation.set("responses", responses.of(route, told));
    return operation;
  }

  private ObjectNode operation(Route route) {
    Told told = told(route);
    if (told != null) {
      return operation(route, told);
    }
    JsonNode own = operations.path(route.operation());
    if (own.isMissingNode()) {
      throw new IllegalStateException("openapi/operations.json says nothing of " + route);
    }
    ObjectNode operation =
        Json.object()
            .put("operationId", route.operation())
            .put("summary", own.path("summary").textValue())
            .put("description", description(route, own.path("description").asText()));
    operation.putArray("tags").add(own.path("tag").textValue());
    ArrayNode security = operation.putArray("security");
    if (route.rateClass() != null) {
      security.addObject().putArray("key");
    }
    operation.set("parameters", parameters(route, own));
    if (own.has("body")) {
      operation.set("requestBody", requestBody(own));
    }
    operation.set("responses", responses.of(route, own));
    return operation;
  }

  private static String description(Route route, String own) {
    List<String> lines = new ArrayList<>();
    if (!own.isEmpty()) {
      lines.add(own);
    }
    if (route.scope() != null) {
      lines.add("Scope: `" + route.scope().wire() + "`.");
      if (!route.isOpenToBoundKeys()) {
        lines.add("Not for keys that are bound to operators: 403 `insufficient_scope`.");
      }
    } else {
      lines.add(route.rateClass() == null ? "Needs no key." : "Any key will do.");
    }
    return String.join("\n\n", lines);
  }

  /** What several routes have in common is referred to by its name. */
  private static ArrayNode parameters(Route route, JsonNode own) {
    ArrayNode parameters = Json.object().putArray("parameters");
    PARAMETER
        .matcher(route.path())
        .results()
        .forEach(named -> reference(parameters, "path." + named.group(1)));
    for (JsonNode query : own.path("query")) {
      if (query.isTextual()) {
        reference(parameters, query.textValue());
      } else {
        ObjectNode parameter = parameters.addObject().put("name", query.path("name").textValue());
        parameter.put("in", query.path("in").asText("query"));
        parameter.set("description", query.path("description"));
        parameter.set("schema", query.path("schema"));
      }
    }
    if (route.method().takesIdempotencyKey()) {
      reference(parameters, "Idempotency-Key");
    }
    reference(parameters, "Service-Version");
    return parameters;
  }

  /** To a parameter of the components. */
  static void reference(ArrayNode parameters, String name) {
    parameters.addObject().put("$ref", PARAMETERS + name);
  }

  private static ObjectNode requestBody(JsonNode own) {
    ObjectNode body = Json.object();
    if (own.path("body_required").asBoolean()) {
      body.put("required", true);
    }
    ObjectNode content = body.putObject("content").putObject(JSON);
    content.set("schema", own.path("body"));
    content.set("example", own.has("example") ? own.path("example") : Json.object());
    return body;
  }

  private static ObjectNode schemas() {
    ObjectNode schemas = (ObjectNode) resource("/openapi/schemas.json");
    fill(
        schemas.withObjectProperty("ErrorCode"),
        Arrays.stream(ErrorCode.values()).map(ErrorCode::wire).toList());
    return schemas;
  }

  /** Those that the document refers to. */
  private static ObjectNode parameters(ObjectNode document) {
    ObjectNode said = (ObjectNode) resource("/openapi/parameters.json");
    ObjectNode version = (ObjectNode) said.path("Service-Version");
    fill(
        (ObjectNode) version.path("schema"),
        Arrays.stream(Revision.values()).map(Revision::date).toList());
    version.put("example", Revision.LATEST.date());
    tellOfDeprecated(version);
    ObjectNode parameters = Json.object();
    for (JsonNode reference : document.findValues("$ref")) {
      if (reference.textValue().startsWith(PARAMETERS)) {
        String key = reference.textValue().substring(PARAMETERS.length());
        String name = key.replaceFirst("^path[.]", "");
        JsonNode one = said.path(name);
        String in = key.equals(name) ? one.path("in").asText("query") : "path";
        parameters.set(key, parameter(name, in, one));
      }
    }
    return parameters;
  }

  private static void tellOfDeprecated(ObjectNode serviceVersion) {
    StringBuilder description = new StringBuilder(serviceVersion.path("description").textValue());
    for (Revision revision : Revision.values()) {
      revision
          .deprecation()
          .ifPresent(
              deprecation ->
                  description.append(
                      " Deprecated: `%s`, served until %s at least; see `/docs/changelog#%s`."
                          .formatted(
                              revision.date(),
                              deprecation.sunset(),
                              deprecation.announcement().anchor())));
    }
    serviceVersion.put("description", description.toString());
  }

  private static ObjectNode parameter(String name, String in, JsonNode said) {
    ObjectNode parameter =
        Json.object()
            .put("name", name)
            .put("in", in)
            .put("description", said.path("description").textValue());
    boolean inPath = in.equals("path");
    if (inPath || said.path("required").asBoolean()) {
      parameter.put("required", true);
    }
    // In a path any text will do: what has another form is not found.
    boolean anyText = inPath || !said.has("schema");
    parameter.set("schema", anyText ? Json.object().put("type", "string") : said.path("schema"));
    if (said.has("example")) {
      parameter.set("example", said.path("example"));
    }
    return parameter;
  }

  private static void fill(ObjectNode schema, List<String> values) {
    ArrayNode choices = schema.putArray("enum");
    values.forEach(choices::add);
  }

  static JsonNode resource(String name) {
    try (InputStream in = OpenApi.class.getResourceAsStream(name)) {
      return Json.read(
          new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
