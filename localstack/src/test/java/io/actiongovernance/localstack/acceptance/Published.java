package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The published contract, against which every answer that the suite gets is held: its path and
 * status are told of, and its body has exactly the fields that are. Likewise what is posted to
 * webhook endpoints. Thread-safe.
 */
final class Published {
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private static final Pattern PARAMETER = Pattern.compile("\\{[a-z_]+}");

  private static final Map<URI, Published> BY_ADDRESS = new ConcurrentHashMap<>();

  private final ObjectNode document;
  private final Map<String, JsonSchema> schemas = new ConcurrentHashMap<>();

  private Published(ObjectNode document) {
    this.document = document;
    this.document.at("/components/schemas").forEach(Published::close);
  }

  /** What the service at this address publishes. */
  static Published at(HttpClient client, URI baseUrl) {
    return BY_ADDRESS.computeIfAbsent(baseUrl, address -> new Published(load(client, address)));
  }

  private static ObjectNode load(HttpClient client, URI baseUrl) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(baseUrl + "/v1/openapi.json")).build();
    try {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
      return (ObjectNode) Json.read(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Readers ignore fields they do not know; what is published is to be all there is. */
  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object
        && object.path("properties") instanceof ObjectNode
        && !object.has("additionalProperties")) {
      object.put("additionalProperties", false);
    }
    schema.forEach(Published::close);
  }

  /**
   * Checks an answer in JSON.
   *
   * @param target path and query, as sent
   */
  void check(String method, String target, int status, String body) {
    JsonNode operation = operation(method, target.replaceAll("\\?.*", ""));
    if (operation == null) {
      assertThat(status).as("%s %s is not published", method, target).isEqualTo(404);
      validate("#/components/schemas/ErrorEnvelope", method, target, status, body);
      return;
    }
    JsonNode response = operation.path("responses").path(Integer.toString(status));
    assertThat(response.isMissingNode())
        .as("%s %s answered %s %s, of which nothing is published", method, target, status, body)
        .isFalse();
    String reference = response.at("/content/application~1json/schema/$ref").asText();
    if (!reference.isEmpty()) {
      validate(reference, method, target, status, body);
    }
  }

  /** Checks a delivery as it was posted: its body, and the headers that sign it. */
  void check(Receiver.Received posted) {
    JsonNode operation =
        document
            .path("paths")
            .path("/v1/webhook_endpoints")
            .path("post")
            .path("callbacks")
            .path(posted.json().path("type").asText())
            .path("{$request.body#/url}")
            .path("post");
    assertThat(operation.isObject()).as("published: %s", posted.body()).isTrue();
    for (JsonNode reference : operation.path("parameters")) {
      JsonNode header = document.at(reference.path("$ref").asText().substring(1));
      String name = header.path("name").asText();
      assertThat(posted.header(name)).as(name).matches(header.at("/schema/pattern").asText());
    }
    String reference = operation.at("/requestBody/content/application~1json/schema/$ref").asText();
    assertThat(found(reference, posted.body())).as("posted: %s", posted.body()).isEmpty();
  }

  private void validate(String reference, String method, String target, int status, String body) {
    assertThat(found(reference, body))
        .as("%s %s answered %s %s", method, target, status, body)
        .isEmpty();
  }

  private List<ValidationMessage> found(String reference, String body) {
    return List.copyOf(schemas.computeIfAbsent(reference, this::schema).validate(Json.read(body)));
  }

  private JsonSchema schema(String reference) {
    ObjectNode schema = Json.object().put("$ref", reference);
    schema.set("components", document.path("components"));
    return SCHEMAS.getSchema(schema);
  }

  private @Nullable JsonNode operation(String method, String path) {
    String name = method.toLowerCase(Locale.ROOT);
    JsonNode exact = document.path("paths").path(path).path(name);
    if (!exact.isMissingNode()) {
      return exact;
    }
    for (Map.Entry<String, JsonNode> entry : document.path("paths").properties()) {
      String template = PARAMETER.matcher(entry.getKey()).replaceAll("[^/]+");
      if (path.matches(template) && entry.getValue().has(name)) {
        return entry.getValue().path(name);
      }
    }
    return null;
  }
}
