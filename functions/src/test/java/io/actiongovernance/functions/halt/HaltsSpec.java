package io.actiongovernance.functions.halt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The routes of the kill switch (contract, section 4). JSON is written with single quotes. */
class HaltsSpec {
  private static final String HALTS = "/v1/halts";
  private static final String TENANT = "{'scope':'tenant','reason':'smoke'}";

  private final TestApi api = new TestApi();
  private final TestTenant tenant = api.tenant();

  private Response post(String path, String body, String key) {
    return api.post(path, body.replace('\'', '"')).key(key).send();
  }

  private JsonNode made(String path, String body) {
    Response response = post(path, body, tenant.live());
    assertThat(response.status()).as(response.body()).isBetween(200, 201);
    return response.json();
  }

  private JsonNode halt() {
    return made(HALTS, TENANT);
  }

  private List<String> listed(String query, String key) {
    Response response = api.get(HALTS + query).key(key).send();
    assertThat(response.status()).as(response.body()).isEqualTo(200);
    return response.json().get("data").valueStream().map(it -> it.get("id").asText()).toList();
  }

  private static void assertError(Response response, int status, String code) {
    assertThat(response.status() + " " + response.code())
        .as(response.body())
        .isEqualTo(status + " " + code);
  }

  @Test
  void aHaltHasTheFieldsOfTheContract() {
    JsonNode halt = halt();
    assertThat(halt.fieldNames())
        .toIterable()
        .containsExactly(
            "id",
            "object",
            "scope",
            "target_id",
            "workspace_id",
            "reason",
            "halted_by",
            "halted_by_principal",
            "halted_at",
            "lifted_by",
            "lifted_by_principal",
            "lifted_at");
    assertThat(halt.get("id").textValue()).startsWith("hlt_");
    assertThat(halt.get("object").textValue()).isEqualTo("halt");
    assertThat(halt.get("scope").textValue()).isEqualTo("tenant");
    assertThat(halt.get("target_id").isNull()).isTrue();
    assertThat(halt.get("halted_by").textValue()).isEqualTo("first-live");
    assertThat(halt.at("/halted_by_principal/type").textValue()).isEqualTo("key");
    assertThat(halt.at("/halted_by_principal/id").textValue()).startsWith("key_");
    assertThat(halt.at("/halted_by_principal/name").textValue()).isEqualTo("first-live");
    assertThat(halt.get("lifted_by_principal").isNull()).isTrue();
    assertThat(halt.get("lifted_at").isNull()).isTrue();
    api.advance(Duration.ofSeconds(2));
    JsonNode lifted = made(HALTS + "/" + halt.get("id").textValue() + "/lift", "{'reason':'ok'}");
    assertThat(lifted.get("lifted_by").textValue()).isEqualTo("first-live");
    assertThat(lifted.get("lifted_by_principal")).isEqualTo(halt.get("halted_by_principal"));
    assertThat(lifted.get("lifted_at").textValue()).isEqualTo(api.now().toString());
  }

  @Test
  void approveIsHaltedNamingTheHaltAndTheFrozenTimeIsGivenBack() {
    String plan = held();
    Instant before = expiresAt(plan);
    JsonNode halt = halt();
    api.advance(Duration.ofHours(1));
    Response refused = post(plan + "/approve", "{}", api.another(tenant.live()));
    assertError(refused, 409, "halted");
    assertThat(refused.json().at("/error/details/halt_id")).isEqualTo(halt.get("id"));
    assertThat(refused.header("Retry-After")).isNull();
    JsonNode lifted = made(HALTS + "/" + halt.get("id").textValue() + "/lift", "{'reason':'ok'}");
    Duration frozen =
        Duration.between(
            Instant.parse(halt.get("halted_at").textValue()),
            Instant.parse(lifted.get("lifted_at").textValue()));
    assertThat(expiresAt(plan)).isEqualTo(before.plus(frozen));
    JsonNode listed = api.get("/v1/plans").key(tenant.live()).send().json().at("/data/0");
    assertThat(Instant.parse(listed.get("expires_at").textValue())).isEqualTo(expiresAt(plan));
  }

  private String held() {
    String connector =
        made("/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}")
            .get("id")
            .textValue();
    String operator =
        made(
                "/v1/operators",
                "{'name':'desk','guardrails':[{'name':'hold','decision':'ALERT',"
                    + "'tool':'sandbox.payment.refund'}]}")
            .get("id")
            .textValue();
    String action =
        "{'connector':'%s','tool':'sandbox.payment.refund','entity_key':'order:1',"
            + "'idempotency_key':'refund-1','args':{'order':'1','amount':'5.00'}}";
    JsonNode plan =
        made(
            "/v1/operators/" + operator + "/plans",
            "{'actions':[" + action.formatted(connector) + "]}");
    return "/v1/plans/" + plan.get("id").textValue();
  }

  private Instant expiresAt(String plan) {
    return Instant.parse(
        api.get(plan).key(tenant.live()).send().json().get("expires_at").textValue());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'reason':'x'} | missing_parameter | scope",
        "{'scope':'all','reason':'x'} | invalid_parameter | scope",
        "{'scope':'tenant'} | missing_parameter | reason",
        "{'scope':'tenant','reason':''} | invalid_parameter | reason",
        "{'scope':'tenant','id':'op_1','reason':'x'} | invalid_parameter | id",
        "{'scope':'operator','reason':'x'} | missing_parameter | id",
        "{'scope':'operator','id':'cn_1','reason':'x'} | invalid_parameter | id",
        "{'scope':'connector','id':7,'reason':'x'} | invalid_parameter | id",
        "{'scope':'tenant','reason':'x','more':1} | invalid_parameter | more",
      })
  void aFieldThatBreaksItsRuleIsNamed(String body, String code, String param) {
    Response response = post(HALTS, body, tenant.live());
    assertError(response, 400, code);
    assertThat(response.param()).isEqualTo(param);
    assertThat(listed("", tenant.live())).isEmpty();
  }

  @Test
  void aMissingTargetIsNotFound() {
    String id = "0".repeat(26);
    assertError(
        post(HALTS, "{'scope':'operator','id':'op_" + id + "','reason':'x'}", tenant.live()),
        404,
        "not_found");
    assertError(
        post(HALTS, "{'scope':'connector','id':'cn_" + id + "','reason':'x'}", tenant.live()),
        404,
        "not_found");
    assertError(
        post(HALTS + "/hlt_" + id + "/lift", "{'reason':'x'}", tenant.live()), 404, "not_found");
  }

  @Test
  void liftingTwiceIsAStateConflict() {
    String lift = HALTS + "/" + halt().get("id").textValue() + "/lift";
    made(lift, "{'reason':'x'}");
    assertError(post(lift, "{'reason':'x'}", tenant.live()), 409, "state_conflict");
  }

  @Test
  void theListIsNewestFirstAndCanBeOfThoseInForce() {
    String first = halt().get("id").textValue();
    api.advance(Duration.ofSeconds(1));
    String connector =
        made("/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox'}")
            .get("id")
            .textValue();
    String second =
        made(HALTS, "{'scope':'connector','id':'" + connector + "','reason':'smoke'}")
            .get("id")
            .textValue();
    assertThat(listed("", tenant.live())).containsExactly(second, first);
    made(HALTS + "/" + second + "/lift", "{'reason':'x'}");
    assertThat(listed("?active=true", tenant.live())).containsExactly(first);
    assertThat(listed("?active=false", tenant.live())).containsExactly(second);
    assertError(api.get(HALTS + "?active=yes").key(tenant.live()).send(), 400, "invalid_parameter");
  }

  @Test
  void haltingAHaltedTargetReturnsTheHaltInForce() {
    JsonNode halt = halt();
    api.advance(Duration.ofSeconds(1));
    for (int times = 0; times < 3; times++) {
      Response again = post(HALTS, "{'scope':'tenant','reason':'again'}", tenant.live());
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.json()).isEqualTo(halt);
    }
    assertThat(listed("", tenant.live())).containsExactly(halt.get("id").textValue());
  }

  @Test
  void repeatedHaltsOfAPinnedKeyDoNotBlockTheTenantsHalt() {
    String pinned =
        made("/v1/keys", "{'name':'pinned','role':'operate','workspace_id':'ws-1'}")
            .get("secret")
            .textValue();
    String own =
        made("/v1/connectors", "{'listing_id':'cn-sandbox','name':'sandbox','workspace_id':'ws-1'}")
            .get("id")
            .textValue();
    String body = "{'scope':'connector','id':'" + own + "','reason':'smoke'}";
    Response first = post(HALTS, body, pinned);
    assertThat(first.status()).isEqualTo(201);
    api.advance(Duration.ofSeconds(1));
    for (int times = 0; times < 40; times++) {
      assertThat(post(HALTS, body, pinned).status()).isEqualTo(200);
    }
    assertThat(post(HALTS, TENANT, tenant.live()).status()).isEqualTo(201);
    String lift = HALTS + "/" + first.json().get("id").textValue() + "/lift";
    assertError(post(lift, "{'reason':'x'}", pinned), 403, "insufficient_scope");
    assertThat(post(lift, "{'reason':'x'}", tenant.live()).status()).isEqualTo(200);
  }

  @Test
  void aPinnedKeyCannotHaltTheTenant() {
    String pinned =
        made("/v1/keys", "{'name':'pinned','role':'operate','workspace_id':'ws-1'}")
            .get("secret")
            .textValue();
    assertError(post(HALTS, TENANT, pinned), 403, "insufficient_scope");
  }
}
