package io.actiongovernance.functions.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of events: what they take and what they answer (contract, section 7). */
final class EventRoutesSpec {
  private static final String BODY =
      """
      {"source":"shop","event_type":"order.created","payload":{}}
      """;

  private final TestApi api = new TestApi();
  private final String admin = api.tenant().live();

  private JsonNode ingested() {
    return ingested(admin);
  }

  private JsonNode ingested(String key) {
    return answer(201, api.post("/v1/events", BODY).key(key).send());
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

  @Test
  void theResellerOfAnEnvelopeIsTheKeysEvenIfTheBodyDiffers() {
    String resold = api.tenant(Map.of("name", "Resold", "reseller_id", "rs_1")).live();
    String id = ingested(resold).get("id").textValue();
    Response retrieved = api.get("/v1/events/" + id).key(resold).send();
    assertThat(retrieved.json().get("reseller_id").textValue()).isEqualTo("rs_1");
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
  void aPinnedKeyCanListFromTheCursorOfItsPost() {
    String pinned =
        "{\"name\":\"pinned\",\"scopes\":[\"events:read\",\"events:write\"],\"workspace_id\":\"w1\"}";
    Response made = api.post("/v1/keys", pinned).key(admin).send();
    String key = answer(201, made).get("secret").textValue();
    String cursor = ingested(key).get("cursor").textValue();
    ingested();
    String next = ingested(key).get("id").textValue();
    Response page =
        api.get("/v1/events").key(key).query("order", "asc").query("cursor", cursor).send();
    assertThat(answer(200, page).get("data").findValuesAsText("id")).containsExactly(next);
  }

  @Test
  void theLastPagesCursorListsLaterEvents() {
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
    for (String bad : List.of(value, "é".repeat(501))) {
      Response response = list(Map.of(name, bad));
      assertThat(response.status()).isEqualTo(400);
      assertThat(response.code()).isEqualTo("invalid_parameter");
    }
  }
}
