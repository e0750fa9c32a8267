package io.actiongovernance.functions.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of events: what they take and what they answer (contract, section 7). */
final class EventRoutesSpec {
  private static final String BODY =
      """
      {"source":"shop","event_type":"order.created","payload":{"total":1.10,"huge":1E400,"z":1,"a":2}}
      """;

  private final TestApi api = new TestApi();
  private final String admin = api.tenant().live();

  private JsonNode ingested() {
    return ingested(admin);
  }

  private JsonNode ingested(String key) {
    return answer(201, api.post("/v1/events", BODY).key(key).send());
  }

  private Response retrieved(String id, String key) {
    return api.get("/v1/events/" + id).key(key).send();
  }

  private Response list(Map<String, String> query) {
    TestApi.Request request = api.get("/v1/events").key(admin);
    query.forEach(request::query);
    return request.send();
  }

  private JsonNode listed(Map<String, String> query) {
    return answer(200, list(query));
  }

  private static JsonNode answer(int status, Response response) {
    assertThat(response.status()).as(response.body()).isEqualTo(status);
    return response.json();
  }

  private String pinnedTo(String workspaceId) {
    String body =
        "{\"name\":\"pinned to %s\",\"scopes\":[\"events:read\",\"events:write\"],\"workspace_id\":\"%s\"}"
            .formatted(workspaceId, workspaceId);
    return answer(201, api.post("/v1/keys", body).key(admin).send()).get("secret").textValue();
  }

  @Test
  void anEventHasTheElevenFieldsOfItsEnvelopeAndFourMore() {
    JsonNode event = ingested();
    assertThat(event.fieldNames())
        .toIterable()
        .containsExactlyInAnyOrder(
            "event_id",
            "reseller_id",
            "tenant_id",
            "workspace_id",
            "source",
            "event_type",
            "correlation_id",
            "payload",
            "agent_id",
            "session_id",
            "kind",
            "cursor",
            "id",
            "object",
            "plan_ids",
            "created_at");
    assertThat(event.get("object").textValue()).isEqualTo("event");
    assertThat(event.get("event_id")).isEqualTo(event.get("id"));
    assertThat(event.get("workspace_id").isNull()).isTrue();
    assertThat(event.get("plan_ids")).isEmpty();
    assertThat(event.get("payload").get("huge").decimalValue()).isEqualByComparingTo("1E400");
    assertThat(event.get("payload").get("total").decimalValue()).hasToString("1.10");
  }

  @Test
  void theResellerOfAnEnvelopeIsTheKeysWhateverTheBodySays() {
    String resold = api.tenant(Map.of("name", "Resold", "reseller_id", "rs_1")).live();
    String id = ingested(resold).get("id").textValue();
    assertThat(retrieved(id, resold).json().get("reseller_id").textValue()).isEqualTo("rs_1");
    String agreeing = BODY.replaceFirst("\\{", "{\"reseller_id\":\"rs_1\",");
    JsonNode event = answer(201, api.post("/v1/events", agreeing).key(resold).send());
    assertThat(event.get("reseller_id").textValue()).isEqualTo("rs_1");
    String other = BODY.replaceFirst("\\{", "{\"reseller_id\":\"rs_2\",");
    assertThat(api.post("/v1/events", other).key(resold).send().code())
        .isEqualTo("tenant_mismatch");
    assertThat(api.post("/v1/events", agreeing).key(admin).send().code())
        .isEqualTo("tenant_mismatch");
    assertThat(ingested().get("reseller_id").isNull()).isTrue();
  }

  @Test
  void aRetrievedEventIsTheOnePosted() {
    ObjectNode posted = (ObjectNode) ingested();
    ObjectNode retrieved = (ObjectNode) answer(200, retrieved(posted.get("id").textValue(), admin));
    assertThat(retrieved.without("cursor").equals(posted.without("cursor"))).isTrue();
  }

  @Test
  void anotherWorkspacesEventReadsAsNotFound() {
    String key = pinnedTo("w1");
    String id = ingested(key).get("id").textValue();
    assertThat(retrieved(id, key).json().get("workspace_id").textValue()).isEqualTo("w1");
    assertThat(retrieved(id, admin).status()).isEqualTo(200);
    assertThat(retrieved(id, pinnedTo("w2")).code()).isEqualTo("not_found");
    assertThat(retrieved(id, api.tenant().live()).code()).isEqualTo("not_found");
  }

  @Test
  void aPinnedKeyThatNamesAnotherWorkspaceIsForbidden() {
    String body = BODY.replaceFirst("\\{", "{\"workspace_id\":\"w2\",");
    Response response = api.post("/v1/events", body).key(pinnedTo("w1")).send();
    assertThat(response.status()).isEqualTo(403);
    assertThat(response.code()).isEqualTo("insufficient_scope");
  }

  @Test
  void theCursorThatAPinnedKeyPostsIsOneThatItCanListFrom() {
    String key = pinnedTo("w1");
    String cursor = ingested(key).get("cursor").textValue();
    ingested();
    String next = ingested(key).get("id").textValue();
    Response page =
        api.get("/v1/events").key(key).query("order", "asc").query("cursor", cursor).send();
    assertThat(answer(200, page).get("data").findValuesAsText("id")).containsExactly(next);
  }

  @Test
  void anIngestRepeatedUnderItsIdempotencyKeyIsOneEvent() {
    Response first = api.post("/v1/events", BODY).key(admin).idempotencyKey("once").send();
    Response again = api.post("/v1/events", BODY).key(admin).idempotencyKey("once").send();
    assertThat(first.status()).isEqualTo(201);
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(listed(Map.of()).get("data")).hasSize(1);
  }

  @Test
  void theCursorOfAPostedEventIsOfTheUnfilteredLog() {
    String cursor = ingested().get("cursor").textValue();
    String next = ingested().get("id").textValue();
    JsonNode page = listed(Map.of("cursor", cursor, "order", "asc"));
    assertThat(page.get("data").findValuesAsText("id")).containsExactly(next);
    assertInvalid("invalid_cursor", Map.of("cursor", cursor, "source", "shop"));
  }

  @Test
  void pagesLeadFromTheNewestToACursorForWhatComesLater() {
    String first = ingested().get("id").textValue();
    String second = ingested().get("id").textValue();
    JsonNode page = listed(Map.of("limit", "1", "event_type", "order.*"));
    assertThat(page.get("object").textValue()).isEqualTo("list");
    assertThat(page.get("data").findValuesAsText("id")).containsExactly(second);
    assertThat(page.get("has_more").booleanValue()).isTrue();
    String third = ingested().get("id").textValue();
    JsonNode last = listed(next(page, "limit", "2"));
    assertThat(last.get("data").findValuesAsText("id")).containsExactly(first);
    assertThat(last.get("has_more").booleanValue()).isFalse();
    JsonNode later = listed(next(last, "order", "asc"));
    assertThat(later.get("data").findValuesAsText("id")).containsExactly(third);
  }

  private static Map<String, String> next(JsonNode page, String name, String value) {
    String cursor = page.get("next_cursor").textValue();
    return Map.of("cursor", cursor, "event_type", "order.*", name, value);
  }

  @ParameterizedTest
  @CsvSource({
    "limit,0",
    "limit,101",
    "limit,1.5",
    "limit,x",
    "limit,''",
    "order,up",
    "order,''",
    "order,ASC",
    "event_type,''",
    "event_type,order..x",
    "event_type,ord*",
    "source,''",
    "workspace_id,''",
    "entity,''",
    "since,yesterday",
    "until,2026-11-20",
  })
  void aParameterThatBreaksItsRuleIsInvalid(String name, String value) {
    assertInvalid("invalid_parameter", Map.of(name, value));
    assertInvalid("invalid_parameter", Map.of(name, "é".repeat(501)));
  }

  private void assertInvalid(String code, Map<String, String> query) {
    Response response = list(query);
    assertThat(response.status()).isEqualTo(400);
    assertThat(response.code()).isEqualTo(code);
  }
}
