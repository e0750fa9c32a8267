package io.actiongovernance.functions.route;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every request goes through, in order (contract, section 1). */
final class PipelineSpec {
  private static final String KEY_BODY = "{\"name\":\"ci runner\",\"role\":\"ingest\"}";

  private final TestApi api = new TestApi();
  private final TestTenant tenant = api.tenant();

  private static void assertError(Response response, int status, String code) {
    assertThat(response.status() + " " + response.code())
        .as(response.body())
        .isEqualTo(status + " " + code);
    assertHeaders(response);
    JsonNode error = response.json().get("error");
    assertThat(error.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly("type", "code", "message", "doc_url", "request_id", "param", "details");
    assertThat(error.get("doc_url").asText()).isEqualTo("https://api.example/docs/errors#" + code);
    assertThat(error.get("request_id").asText()).isEqualTo(response.header("X-Request-Id"));
    assertThat(error.get("message").asText()).isNotBlank();
    boolean retries = status == 429 || status == 503 || code.equals("idempotency_in_progress");
    assertThat(response.header("Retry-After") != null).isEqualTo(retries);
  }

  private static void assertHeaders(Response response) {
    Set<String> names = new TreeSet<>(response.event().getHeaders().keySet());
    assertThat(names)
        .contains(
            "X-Request-Id",
            "Service-Version",
            "X-RateLimit-Limit",
            "X-RateLimit-Remaining",
            "X-RateLimit-Reset",
            "Content-Type",
            "Cache-Control");
    assertThat(response.header("X-Request-Id")).matches("req_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(response.header("Content-Type")).isEqualTo("application/json");
    assertThat(response.header("Cache-Control")).isEqualTo("no-store");
  }

  @Test
  void aSuccessHasEveryHeader() {
    Response response = api.get("/v1/keys").key(tenant.live()).send();
    assertThat(response.status()).isEqualTo(200);
    assertHeaders(response);
    assertThat(response.header("Service-Version")).isEqualTo("2026-09-01");
    assertThat(response.header("X-RateLimit-Limit")).isEqualTo("1000");
    assertThat(response.header("X-RateLimit-Remaining")).isEqualTo("1999");
    assertThat(response.header("X-RateLimit-Reset"))
        .isEqualTo(Long.toString(api.now().getEpochSecond()));
    assertThat(response.header("Retry-After")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/nothing",
        "/v2/keys",
        "/v1/keys/",
        "/v1//keys",
        "/v1/keys/a/b",
        ""
      })
  void anUnknownPathIsNotFoundBeforeAnythingElse(String path) {
    Response response = api.get(path).header("Service-Version", "nonsense").send();
    assertError(response, 404, "not_found");
    assertThat(response.header("Allow")).isNull();
  }

  /** Where gateways cannot stream, its path is taken for that of an event. */
  @Test
  void aFunctionThatCannotStreamHasNoSuchPath() {
    Response response = api.get("/v1/events/stream").send();
    assertError(response, 404, "not_found");
    assertThat(response.header("Allow")).isNull();
    assertThat(api.post("/v1/events/stream", "{}").send().header("Allow")).isEqualTo("GET");
  }

  @Test
  void aReplayHasTheDeprecationHeadersOfItsOwnRequest() {
    Response first = create("2026-05-01");
    Response replayed = create("2026-09-01");
    assertHeaders(replayed);
    assertThat(first.header("Deprecation")).isEqualTo("true");
    assertThat(replayed.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(replayed.header("Deprecation")).isNull();
    assertThat(create("2026-05-01").header("Deprecation")).isEqualTo("true");
  }

  private Response create(String revision) {
    return api.post("/v1/keys", KEY_BODY)
        .key(tenant.live())
        .idempotencyKey("once")
        .header("Service-Version", revision)
        .send();
  }

  @Test
  void theSchemeIsReadInAnyCase() {
    assertThat(
            api.get("/v1/keys").header("authorization", "bearer  " + tenant.live()).send().status())
        .isEqualTo(200);
  }

  @Test
  void requestsWithoutAValidKeyAreLimitedBySourceAddress() {
    for (int count = 0; count < 120; count++) {
      assertThat(api.get("/v1/keys").key("nonsense").from("192.0.2.1").send().status())
          .isEqualTo(401);
    }
    Response limited = api.get("/v1/keys").key("nonsense").from("192.0.2.1").send();
    assertError(limited, 429, "rate_limited");
    assertThat(limited.header("Retry-After")).isEqualTo("1");
    assertThat(limited.header("X-RateLimit-Limit")).isEqualTo("60");
    assertThat(limited.header("X-RateLimit-Remaining")).isEqualTo("0");
    assertError(api.get("/v1/keys").key("nonsense").from("192.0.2.2").send(), 401, "key_invalid");
    assertThat(api.get("/v1/keys").key(tenant.live()).from("192.0.2.1").send().status())
        .isEqualTo(200);
    api.advance(Duration.ofSeconds(1));
    assertError(api.get("/v1/keys").key("nonsense").from("192.0.2.1").send(), 401, "key_invalid");
  }

  @Test
  void aBadKeyKeepsNobodyAtItsAddressFromSigningIn() {
    String address = "2001:db8:0:1::1";
    while (api.get("/v1/keys").key("nonsense").from(address).send().status() == 401) {
      // until its budget is used up
    }
    String neighbour = "2001:db8:0:1:ffff::2";
    assertError(api.get("/v1/keys").key("nonsense").from(neighbour).send(), 429, "rate_limited");
    assertError(api.get("/v1/me").from(neighbour).send(), 401, "unauthenticated");
    List<String> ways =
        List.of(
            "/v1/sign_in/tickets/redeem", "/v1/sign_in/passkey", "/v1/sign_in/passkey/challenges");
    for (String way : ways) {
      String body = way.endsWith("redeem") ? "{\"ticket\":\"x\"}" : "{}";
      int first = api.post(way, body).from(neighbour).send().status();
      assertThat(first).as(way).isNotEqualTo(429);
      for (int count = 0; count < 120; count++) {
        int unused = api.post(way, body).from(neighbour).send().status();
      }
      assertError(api.post(way, body).from(address).send(), 429, "rate_limited");
    }
    assertThat(
            api.get("/v1/sign_in/idp_01m80m2kz0f1q3v5x7y9a2c4e6").from(neighbour).send().status())
        .isEqualTo(404);
    assertThat(api.get("/v1/openapi.json").from(neighbour).send().status()).isEqualTo(200);
  }

  @Test
  void aMissingScopeIsRefusedBeforeTheRateAndChargedToTheKeyOnly() {
    TestTenant small = api.tenant(Map.of("name", "Small", "limits", Map.of("management.write", 2)));
    String ingest = newKey(small, "{\"name\":\"ingest\",\"role\":\"ingest\"}");
    String second = newKey(small, "{\"name\":\"second\",\"role\":\"ingest\"}");
    for (int count = 0; count < 120; count++) {
      Response refused = api.post("/v1/keys", KEY_BODY).key(ingest).send();
      assertError(refused, 403, "insufficient_scope");
      assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("60");
      assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(119 - count));
    }
    Response limited = api.get("/v1/plans").key(ingest).send();
    assertError(limited, 429, "rate_limited");
    assertThat(limited.header("Retry-After")).isEqualTo("1");
    assertThat(limited.header("X-RateLimit-Limit")).isEqualTo("60");
    assertError(api.post("/v1/keys", KEY_BODY).key(second).send(), 403, "insufficient_scope");
    assertThat(api.post("/v1/keys", KEY_BODY).key(small.live()).send().status()).isEqualTo(201);
    api.advance(Duration.ofSeconds(1));
    assertError(api.post("/v1/keys", KEY_BODY).key(ingest).send(), 403, "insufficient_scope");
  }

  @Test
  void safetyRequestsAreChargedToTheirOwnKeyOnly() {
    TestTenant small = api.tenant(Map.of("name", "Small", "limits", Map.of("management.write", 1)));
    String second = newKey(small, "{\"name\":\"second\",\"role\":\"admin\"}");
    String unknown = "/v1/keys/key_" + "0".repeat(26);
    for (int count = 0; count < 120; count++) {
      Response answer = api.delete(unknown).key(small.live()).send();
      assertError(answer, 404, "not_found");
      assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("60");
    }
    assertError(api.delete(unknown).key(small.live()).send(), 429, "rate_limited");
    assertError(api.delete(unknown).key(second).send(), 404, "not_found");
    assertThat(api.post("/v1/keys", KEY_BODY).key(small.live()).send().status()).isEqualTo(201);
    assertError(api.post("/v1/keys", KEY_BODY).key(small.live()).send(), 429, "rate_limited");
    assertError(api.delete(unknown).key(second).send(), 404, "not_found");
  }

  private String newKey(TestTenant owner, String body) {
    return api.post("/v1/keys", body).key(owner.live()).send().json().get("secret").asText();
  }

  @Test
  void readsAlsoCountAgainstTheGlobalCeiling() {
    TestTenant small = api.tenant(Map.of("name", "Small", "limits", Map.of("global.read", 2)));
    for (int count = 0; count < 2; count++) {
      assertThat(api.get("/v1/keys").key(small.live()).send().status()).isEqualTo(200);
    }
    Response limited = api.get("/v1/revisions").key(small.test()).send();
    assertError(limited, 429, "rate_limited");
    assertThat(limited.header("Retry-After")).isEqualTo("30");
    assertThat(api.post("/v1/keys", KEY_BODY).key(small.live()).send().status()).isEqualTo(201);
  }

  @Test
  void aBodyMayHave262144Bytes() {
    String head = "{\"name\":\"padded\",\"role\":\"ingest\"}";
    String fits = head + " ".repeat(262_144 - head.length());
    assertThat(api.post("/v1/keys", fits).key(tenant.live()).send().status()).isEqualTo(201);
    assertError(api.post("/v1/keys", fits + " ").key(tenant.live()).send(), 400, "invalid_request");
  }

  @Test
  void theOwnTenantAndResellerAreKnownFieldsOfEveryBody() {
    TestTenant resold = api.tenant(Map.of("name", "Resold", "reseller_id", "rs_1"));
    String body =
        "{\"name\":\"resold\",\"role\":\"ingest\",\"tenant_id\":\"%s\",\"reseller_id\":\"%s\"}";
    assertThat(
            api.post("/v1/keys", body.formatted(resold.id(), "rs_1"))
                .key(resold.live())
                .send()
                .status())
        .isEqualTo(201);
    assertError(
        api.post("/v1/keys", body.formatted(resold.id(), "rs_2")).key(resold.live()).send(),
        403,
        "tenant_mismatch");
    assertError(
        api.post("/v1/keys", body.formatted(tenant.id(), "rs_1")).key(tenant.live()).send(),
        403,
        "tenant_mismatch");
    assertError(
        api.post("/v1/keys", "{\"tenant_id\":7}").key(tenant.live()).send(),
        403,
        "tenant_mismatch");
  }

  @Test
  void hugeNumbersAreInvalidParameters() {
    Response response =
        api.post("/v1/keys", "{\"name\":" + "9".repeat(101) + "}").key(tenant.live()).send();
    assertError(response, 400, "invalid_parameter");
    assertThat(response.param()).isEqualTo("name");
  }

  @Test
  void aCursorIsBoundToTenantModeRouteAndFilters() {
    newKey(tenant, KEY_BODY);
    newKey(tenant, "{\"name\":\"second\",\"role\":\"ingest\",\"mode\":\"test\"}");
    String cursor =
        api.get("/v1/keys?limit=1&mode=test")
            .key(tenant.live())
            .send()
            .json()
            .get("next_cursor")
            .asText();
    assertThat(cursor).startsWith("cur_");
    assertThat(page("/v1/keys?limit=7&mode=test", cursor, tenant.live()).status()).isEqualTo(200);
    assertError(page("/v1/keys?limit=1", cursor, tenant.live()), 400, "invalid_cursor");
    assertError(page("/v1/keys?limit=1&mode=live", cursor, tenant.live()), 400, "invalid_cursor");
    assertError(page("/v1/keys?mode=test", cursor, tenant.test()), 400, "invalid_cursor");
    assertError(page("/v1/keys?mode=test", cursor, api.tenant().live()), 400, "invalid_cursor");
    api.advance(Duration.ofHours(24));
    assertError(page("/v1/keys?mode=test", cursor, tenant.live()), 400, "invalid_cursor");
  }

  private Response page(String path, String cursor, String key) {
    return api.get(path).query("cursor", cursor).key(key).send();
  }

  @Test
  void anIdOfAnotherTypeOrTenantReadsAsNotFound() {
    String own = api.get("/v1/keys").key(tenant.live()).send().json().at("/data/0/id").asText();
    assertThat(api.get("/v1/keys/" + own).key(tenant.live()).send().status()).isEqualTo(200);
    assertError(api.get("/v1/keys/" + own).key(api.tenant().live()).send(), 404, "not_found");
    for (String id :
        new String[] {"x", "pl_" + own.substring(4), own + "0", "%00", "..", "%zz", "key_"}) {
      assertError(api.get("/v1/keys/" + id).key(tenant.live()).send(), 404, "not_found");
    }
  }

  @Test
  void anOverlongParameterIsInvalid() {
    Response response =
        api.get("/v1/keys").query("status", "x".repeat(1501)).key(tenant.live()).send();
    assertError(response, 400, "invalid_parameter");
  }
}
