package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Scope;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.OperationDocument;
import io.actiongovernance.functions.contract.PublishedSchemas;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.functions.webhook.CreateEndpointHandler;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The contract as an OpenAPI 3.1 document. The {@link Route} table supplies paths, methods, scopes,
 * and common headers and errors. A handler's {@link Operation} and its input and response records
 * supply the rest. {@link Webhooks} describes the requests that the service sends. Not thread-safe.
 */
public final class OpenApi {
  static final String JSON = "application/json";

  private final List<Route> routes;
  private final URI baseUrl;
  private final Map<String, Example> examples;
  private final PublishedSchemas schemas = new PublishedSchemas();
  private final Responses responses = new Responses(schemas);
  private final Webhooks webhooks = new Webhooks(schemas);

  private OpenApi(List<Route> routes, URI baseUrl, Map<String, Example> examples) {
    this.routes = routes;
    this.baseUrl = baseUrl;
    this.examples = examples;
  }

  /**
   * The document for a service at this address.
   *
   * @param examples the examples, keyed by the routes' names
   */
  public static ObjectNode document(
      List<Route> routes, URI baseUrl, Map<String, Example> examples) {
    return new OpenApi(routes, baseUrl, examples).build();
  }

  private ObjectNode build() {
    ObjectNode document = Json.object().put("openapi", "3.1.0");
    document.set("info", info());
    document.putArray("servers").addObject().put("url", baseUrl.toString());
    ArrayNode tags = document.putArray("tags");
    for (Tag tag : Tag.values()) {
      tags.addObject().put("name", tag.title()).put("description", tag.description());
    }
    ObjectNode paths = document.putObject("paths");
    for (Route route : routes) {
      paths
          .withObjectProperty(route.path())
          .set(route.method().name().toLowerCase(Locale.ROOT), operation(route));
    }
    ObjectNode components = document.putObject("components");
    components.set("schemas", schemas.components());
    components.set("parameters", Parameters.components());
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
        .put("name", "The administrator of this deployment")
        .put("url", baseUrl + "/docs");
    info.putObject("license").put("name", "Apache-2.0").put("identifier", "Apache-2.0");
    return info;
  }

  private ObjectNode operation(Route route) {
    Class<?> handler = route.handlerType();
    Operation said = handler.getAnnotation(Operation.class);
    OperationDocument told =
        new OperationDocument(
            Objects.requireNonNull(said, handler + " does not describe its operation."),
            RouteHandler.inputOf(handler),
            route.pathParameters(),
            route.method().reads(),
            schemas);
    ObjectNode operation =
        Json.object()
            .put("operationId", route.operation())
            .put("summary", said.summary())
            .put("description", description(route, said.description()));
    operation.putArray("tags").add(said.tag().title());
    ArrayNode security = operation.putArray("security");
    if (route.rateClass() != null) {
      security.addObject().putArray("key");
    }
    ArrayNode parameters = operation.putArray("parameters");
    told.parameters().forEach(parameter -> parameters.add(parameter.told()));
    if (route.takesIdempotencyKey()) {
      Parameters.reference(parameters, Parameters.IDEMPOTENCY_KEY);
    }
    Parameters.reference(parameters, Parameters.SERVICE_VERSION);
    ObjectNode body = told.requestBody();
    // The body of a DELETE request is not published, because it is ignored.
    if (body != null && route.method() != Route.Method.DELETE) {
      operation.set("requestBody", body);
    }
    operation.set("responses", responses.of(route, told));
    Example example = examples.get(route.operation());
    if (example != null) {
      show(example, operation);
    }
    if (handler == CreateEndpointHandler.class) {
      operation.set("callbacks", webhooks.callbacks());
    }
    return operation;
  }

  /** Adds an example request and its response, if they are JSON. */
  private static void show(Example example, ObjectNode operation) {
    String body = example.body();
    if (body != null && operation.at("/requestBody/content").has(JSON)) {
      operation
          .withObject("/requestBody/content")
          .withObjectProperty(JSON)
          .set("example", Json.read(body));
    }
    for (Map.Entry<String, JsonNode> response : operation.withObject("/responses").properties()) {
      boolean done = response.getKey().startsWith("2");
      if (done
          && response.getValue().path("content").path(JSON) instanceof ObjectNode content
          && !content.has("example")) {
        content.set("example", Json.read(example.answer()));
      }
    }
    for (JsonNode parameter : operation.path("parameters")) {
      String named = example.named().get(parameter.path("name").asText());
      if (named != null && parameter instanceof ObjectNode told) {
        told.put("example", named);
      }
    }
  }

  private static String description(Route route, String own) {
    List<String> lines = new ArrayList<>();
    if (!own.isEmpty()) {
      lines.add(own);
    }
    if (route.scope() != null) {
      Scope other = route.access().otherScope();
      Scope further = route.access().furtherScope();
      lines.add(
          (further == null ? "Scope: `" : "Scopes: `")
              + route.scope().wire()
              + (other == null ? "" : "` or `" + other.wire())
              + (further == null ? "`." : "` and `" + further.wire() + "`."));
      if (!route.isOpenToBoundKeys()) {
        lines.add("Keys that are bound to operators get 403 `insufficient_scope`.");
      }
    } else {
      lines.add(route.rateClass() == null ? "Needs no key." : "Any key is accepted.");
    }
    return String.join("\n\n", lines);
  }
}
