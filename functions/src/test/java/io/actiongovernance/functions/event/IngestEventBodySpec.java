package io.actiongovernance.functions.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import io.actiongovernance.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code POST /v1/events} takes (contract, sections 7 and 9). */
final class IngestEventBodySpec {
  private static final String LEAST =
      "{\"source\":\"shop\",\"event_type\":\"order.created\",\"payload\":{}}";

  private static final TestApi API = new TestApi();

  private final TestTenant tenant = API.tenant();

  private static String with(String field, String value) {
    ObjectNode body = (ObjectNode) Json.read(LEAST);
    body.set(field, Json.read(value));
    return Json.write(body);
  }

  private Response ingest(String body) {
    return API.post("/v1/events", body).key(tenant.live()).send();
  }

  private JsonNode ingested(String body) {
    Response response = ingest(body);
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    return response.json();
  }

  private void assertRefused(String body, String code, String param) {
    Response response = ingest(body);
    assertThat(response.status() + " " + response.code() + " " + response.param())
        .as(response.body())
        .isEqualTo("400 " + code + " " + param);
    assertThat(API.get("/v1/events").key(tenant.live()).send().json().get("data"))
        .as("traces of %s", body)
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"source", "event_type", "payload"})
  void aRequiredFieldThatIsAbsentOrNullIsNamed(String field) {
    ObjectNode body = (ObjectNode) Json.read(LEAST);
    body.remove(field);
    assertRefused(Json.write(body), "missing_parameter", field);
    assertRefused(with(field, "null"), "missing_parameter", field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "source         | \"\"",
        "source         | \" \"",
        "source         | 7",
        "source         | [\"shop\"]",
        "source         | \"a\\u0000b\"",
        "source         | \"a\\nb\"",
        "source         | \"a\\u202eb\"",
        "source         | \"a\\u2066b\"",
        "event_type     | \"\"",
        "event_type     | \"order\"",
        "event_type     | \"Order.created\"",
        "event_type     | \"order.\"",
        "event_type     | \".created\"",
        "event_type     | \"order..created\"",
        "event_type     | \"order.*\"",
        "event_type     | \"1order.created\"",
        "event_type     | \"order.created\\n\"",
        "event_type     | \"order.créé\"",
        "event_type     | {}",
        "payload        | []",
        "payload        | \"{}\"",
        "payload        | 1",
        "payload        | true",
        "correlation_id | \"\"",
        "correlation_id | \"co_\"",
        "correlation_id | \"ev_01jq0000000000000000000000\"",
        "correlation_id | \"co_a b\"",
        "correlation_id | 5",
        "workspace_id   | \"\"",
        "workspace_id   | {}",
        "workspace_id   | \"a\\u0007\"",
        "agent_id       | \"\"",
        "agent_id       | 1",
        "session_id     | \"\"",
        "session_id     | false",
        "surprise       | 1",
      })
  void aFieldThatBreaksItsRuleIsNamed(String field, String value) {
    assertRefused(with(field, value), "invalid_parameter", field);
  }

  @ParameterizedTest
  @CsvSource({"source,100", "workspace_id,100", "agent_id,200", "session_id,200"})
  void lengthsAreCountedInCharacters(String field, int most) {
    assertRefused(with(field, "\"" + "a".repeat(most + 1) + "\""), "invalid_parameter", field);
    ingested(with(field, "\"" + "😀".repeat(most) + "\""));
  }

  @Test
  void anEventTypeHasAtMostTwoHundredCharacters() {
    assertRefused(
        with("event_type", "\"a." + "b".repeat(199) + "\""), "invalid_parameter", "event_type");
    ingested(with("event_type", "\"a." + "b".repeat(198) + "\""));
  }
}
