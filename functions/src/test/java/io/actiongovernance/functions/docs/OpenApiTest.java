package io.actiongovernance.functions.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The published document against the tables it is made of. */
final class OpenApiTest {
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
