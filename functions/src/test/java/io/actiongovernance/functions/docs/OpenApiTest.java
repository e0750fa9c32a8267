package io.actiongovernance.functions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The published document against the tables it is made of. */
final class OpenApiTest {
  private static final String JSON = "application/json";
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

  private final ObjectNode document = OpenApi.document(URI.create("https://api.example.com"));

  @Test
  void thereIsAnOperationForEveryRouteAndNoOther() throws IOException {
    long operations = 0;
    for (JsonNode path : document.path("paths")) {
      operations += path.size();
    }
    assertThat(operations).isEqualTo(Route.values().length);
    for (Route route : Route.values()) {
      JsonNode operation = operation(route);
      assertThat(operation.path("operationId").asText()).isEqualTo(route.operation());
      assertThat(operation.path("security").isEmpty()).isEqualTo(route.rateClass() == null);
      if (route.scope() != null) {
        assertThat(operation.path("description").asText()).contains(route.scope().wire());
      }
    }
    try (InputStream own = OpenApi.class.getResourceAsStream("/openapi/operations.json")) {
      String text = new String(Objects.requireNonNull(own).readAllBytes(), StandardCharsets.UTF_8);
      assertThat(Json.read(text).fieldNames())
          .toIterable()
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Route.values()).map(Route::operation).toList());
    }
  }

  @Test
  void itSaysWhichRevisionIsDeprecatedAndAnyResponseMayTell() {
    assertThat(document.at("/components/parameters/Service-Version/description").asText())
        .contains("Deprecated: `2026-05-01`", "2027-12-01", "#revision-2026-05-01-deprecated");
    for (Route route : Route.values()) {
      for (JsonNode response : operation(route).path("responses")) {
        assertThat(response.path("headers").fieldNames())
            .toIterable()
            .contains("Deprecation", "Sunset", "Link");
      }
    }
  }

  private JsonNode operation(Route route) {
    return document
        .path("paths")
        .path(route.path())
        .path(route.method().name().toLowerCase(Locale.ROOT));
  }

  @Test
  void everyReferenceLeadsSomewhereAndEverySchemaIsReferredTo() {
    List<JsonNode> references = document.findValues("$ref");
    assertThat(references).isNotEmpty();
    for (JsonNode reference : references) {
      assertThat(document.at(reference.textValue().substring(1)).isMissingNode())
          .as(reference.textValue())
          .isFalse();
    }
    for (Iterator<String> names = document.at("/components/schemas").fieldNames();
        names.hasNext(); ) {
      String name = "#/components/schemas/" + names.next();
      assertThat(references).as(name).anyMatch(one -> one.textValue().equals(name));
    }
  }

  @Test
  void everyErrorCodeIsToldOfSomewhere() {
    String paths = document.path("paths").toString();
    for (ErrorCode code : ErrorCode.values()) {
      assertThat(paths).contains("`" + code.wire() + "`");
    }
    assertThat(document.at("/components/schemas/ErrorCode/enum"))
        .hasSize(ErrorCode.values().length);
  }

  /** With no field that is not told of, which readers would take for one of the contract's. */
  @Test
  void everyExampleOfAnAnswerIsOne() {
    ObjectNode components = document.path("components").deepCopy();
    components.path("schemas").forEach(OpenApiTest::close);
    for (JsonNode path : document.path("paths")) {
      for (JsonNode content : path.findValues(JSON)) {
        JsonNode schema = content.path("schema");
        if (!content.has("example") || !schema.has("$ref")) {
          continue;
        }
        ObjectNode whole = schema.deepCopy();
        whole.set("components", components);
        assertThat(SCHEMAS.getSchema(whole).validate(content.path("example")))
            .as(schema.path("$ref").asText())
            .isEmpty();
      }
    }
  }

  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode object && object.path("properties").isObject()) {
      object.put("additionalProperties", false);
    }
    schema.forEach(OpenApiTest::close);
  }

  @Test
  void everyOperationHasWhatAReaderLooksFor() {
    for (Route route : Route.values()) {
      JsonNode operation = operation(route);
      assertThat(operation.path("summary").asText()).as(route.name()).isNotBlank();
      assertThat(document.path("tags").findValuesAsText("name"))
          .contains(operation.at("/tags/0").asText());
      for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
        assertThat(response.getValue().path("description").asText()).isNotBlank();
        JsonNode json = response.getValue().path("content").path(JSON);
        assertThat(json.isMissingNode() || json.has("example") || json.has("examples"))
            .as(route + " " + response.getKey())
            .isEqualTo(route != Route.OPENAPI || !response.getKey().equals("200"));
      }
    }
  }

  @Test
  void retryAfterIsWhereWaitingHelpsAndNowhereElse() {
    for (Route route : Route.values()) {
      for (Map.Entry<String, JsonNode> response : operation(route).path("responses").properties()) {
        boolean told = response.getValue().path("headers").has("Retry-After");
        switch (response.getKey()) {
          case "429", "503" -> assertThat(told).as(route + " " + response.getKey()).isTrue();
          case "409" ->
              assertThat(told)
                  .isEqualTo(
                      response.getValue().path("description").asText().contains("in_progress"));
          default -> assertThat(told).as(route + " " + response.getKey()).isFalse();
        }
      }
    }
  }

  @Test
  void everyOperationTellsOfTheHeadersOfEveryResponse() {
    for (Route route : Route.values()) {
      for (JsonNode response : operation(route).path("responses")) {
        for (String name : Headers.OF_EVERY_RESPONSE) {
          assertThat(response.path("headers").has(name)).as(route + " " + name).isTrue();
        }
      }
    }
  }
}
