package io.actiongovernance.functions.connector;

import static io.actiongovernance.functions.upstream.Upstream.answer;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.route.TestApi;
import io.actiongovernance.functions.route.TestApi.Response;
import io.actiongovernance.functions.route.TestApi.TestTenant;
import io.actiongovernance.functions.upstream.Upstream;
import io.actiongovernance.store.InMemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The routes of connectors and the marketplace, by requests through the pipeline (contract, section
 * 5). JSON is written with single quotes.
 */
class ConnectorsSpec {
  private static final String TOOL =
      "{'name':'pay.refund','capability':'pay','tier':2,'input_schema':{'type':'object'},'request':{'method':'POST','path':'/refunds'}}";
  private static final String SANDBOX = "{'listing_id':'cn-sandbox','name':'box'}";

  private final InMemoryStore store = new InMemoryStore();
  private final TestApi api = new TestApi(store, List.of("127.0.0.1/32"));
  private final TestTenant tenant = api.tenant();
  private final Upstream upstream = new Upstream();

  @AfterEach
  void close() {
    upstream.close();
  }

  @Test
  void listingsAreFilteredAndRetrieved() {
    assertThat(ids(send("GET", "/v1/marketplace/listings", "")))
        .contains("cn-http", "cn-sandbox", "cn-github", "cn-slack");
    assertThat(ids(send("GET", "/v1/marketplace/listings?availability=early_access", "")))
        .containsExactly("cn-hubspot");
    assertThat(ids(send("GET", "/v1/marketplace/listings?capability=payments.refund", "")))
        .containsExactly("cn-sandbox", "cn-stripe");
    JsonNode sandbox = send("GET", "/v1/marketplace/listings/cn-sandbox", "").json();
    assertThat(sandbox.at("/tools/0/inverse").textValue())
        .isEqualTo("sandbox.payment.cancel_refund");
    assertError(send("GET", "/v1/marketplace/listings/cn-none", ""), 404, "not_found");
    assertError(
        send("GET", "/v1/marketplace/listings?availability=soon", ""), 400, "invalid_parameter");
  }

  @Test
  void listingsAreReadPageByPage() {
    List<String> all = new ArrayList<>();
    Response page = send("GET", "/v1/marketplace/listings?limit=2", "");
    all.addAll(ids(page));
    while (page.json().get("has_more").booleanValue()) {
      String cursor = page.json().get("next_cursor").textValue();
      page = send("GET", "/v1/marketplace/listings?limit=2&cursor=" + cursor, "");
      all.addAll(ids(page));
    }
    assertThat(all).doesNotHaveDuplicates().hasSizeGreaterThan(4);
  }

  @Test
  void anInstallAnswersWithTheConnectorAndNeverItsCredentials() {
    upstream.then(answer(200, "{}"));
    Response response = install("'credentials':{'type':'bearer','token':'secret-token-1234567'}");
    assertThat(response.status()).as(response.body()).isEqualTo(201);
    JsonNode connector = response.json();
    assertThat(connector.properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "id",
            "object",
            "listing_id",
            "name",
            "status",
            "status_reason",
            "workspace_id",
            "config",
            "credentials",
            "tools",
            "last_tested_at",
            "created_at",
            "updated_at",
            "authorization_url");
    assertThat(connector.get("credentials").toString())
        .isEqualTo("{\"type\":\"bearer\",\"hint\":\"…4567\"}");
    assertThat(upstream.seen.getFirst().header("Authorization"))
        .isEqualTo("Bearer secret-token-1234567");
    assertThat(send("GET", path(connector), "").json()).isEqualTo(connector);
    assertThat(response.body() + send("GET", "/v1/connectors", "").body() + store.everything())
        .doesNotContain("secret-token");
  }

  @Test
  void rejectedCredentialsInstallNothing() {
    upstream.then(answer(401, "no"));
    assertError(
        install("'credentials':{'type':'bearer','token':'secret-token-1234567'}"),
        422,
        "auth_failed");
    assertThat(ids(send("GET", "/v1/connectors", ""))).isEmpty();
  }

  @Test
  void installsThatCannotBeAreRefused() {
    assertError(
        send("POST", "/v1/connectors", "{'listing_id':'cn-hubspot','name':'hub'}"),
        422,
        "listing_early_access");
    assertThat(send("POST", "/v1/connectors", SANDBOX).status()).isEqualTo(201);
    assertError(send("POST", "/v1/connectors", SANDBOX), 409, "state_conflict");
    for (int count = 1; count < 25; count++) {
      send(
          "POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'box-%d'}".formatted(count));
    }
    Response full = send("POST", "/v1/connectors", "{'listing_id':'cn-sandbox','name':'one-more'}");
    assertError(full, 429, "quota_exceeded");
    assertThat(full.header("Retry-After")).isEqualTo("60");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{'listing_id':'cn-none','name':'box'} | listing_id",
        "{'listing_id':'cn-sandbox','name':'x'} | name",
        "{'listing_id':'cn-http','name':'acme','config':{'base_url':'http://10.0.0.1','tools':[]}} | config.base_url",
        "{'listing_id':'cn-http','name':'acme','config':{'base_url':'https://a.example','tools':[{'name':'a.b','capability':'a','tier':9}]}} | config.tools[0].tier",
      })
  void aBadFieldIsNamed(String body, String param) {
    Response response = send("POST", "/v1/connectors", body);
    assertError(response, 400, "invalid_parameter");
    assertThat(response.param()).isEqualTo(param);
  }

  @Test
  void aConnectorIsRenamedTestedAndUninstalled() {
    upstream.then(answer(200, "{}"));
    JsonNode connector = install("'credentials':{'type':'none'}").json();
    assertThat(send("PATCH", path(connector), "{'name':'renamed'}").json().get("name").textValue())
        .isEqualTo("renamed");
    Response tested = send("POST", path(connector) + "/test", "");
    assertThat(tested.json().properties())
        .extracting(Map.Entry::getKey)
        .containsExactly(
            "object",
            "connector_id",
            "ok",
            "status",
            "latency_ms",
            "tested_at",
            "tools_changed",
            "tools_left_out",
            "tools_digest");
    assertThat(ids(send("GET", "/v1/connectors?status=connected&listing_id=cn-http", "")))
        .hasSize(1);
    assertThat(ids(send("GET", "/v1/connectors?status=error", ""))).isEmpty();
    Response deleted = send("DELETE", path(connector), "");
    assertThat(deleted.body())
        .isEqualTo(
            "{\"id\":\"%s\",\"object\":\"connector\",\"deleted\":true}"
                .formatted(connector.get("id").textValue()));
    assertError(send("GET", path(connector), ""), 404, "not_found");
    assertError(send("DELETE", path(connector), ""), 404, "not_found");
    assertError(send("POST", path(connector) + "/test", ""), 404, "not_found");
  }

  @Test
  void theTestTellsRejectedCredentialsFromAFailingUpstream() {
    upstream.then(answer(503, "")).then(answer(403, ""));
    JsonNode connector = install("'credentials':{'type':'none'}").json();
    assertError(send("POST", path(connector) + "/test", ""), 502, "connector_upstream_error");
    assertError(send("POST", path(connector) + "/test", ""), 422, "auth_failed");
    assertThat(send("GET", path(connector), "").json().get("status").textValue())
        .isEqualTo("error");
  }

  @Test
  void whatAnActiveOperatorNeedsCannotBeUninstalled() {
    JsonNode box = send("POST", "/v1/connectors", SANDBOX).json();
    Response operator =
        send("POST", "/v1/operators", "{'name':'deployer','capabilities':['deploy']}");
    assertThat(operator.status()).as(operator.body()).isEqualTo(201);
    assertError(send("DELETE", path(box), ""), 409, "connector_in_use");
  }

  @Test
  void anotherTenantsConnectorReadsAsNotFound() {
    JsonNode box = send("POST", "/v1/connectors", SANDBOX).json();
    Response other = api.get(path(box)).key(api.tenant().live()).send();
    assertError(other, 404, "not_found");
    assertError(api.get(path(box)).key(tenant.test()).send(), 404, "not_found");
  }

  @Test
  void anInstallSentAgainUnderItsKeyAnswersTheSame() {
    Response first =
        api.post("/v1/connectors", json(SANDBOX)).key(tenant.live()).idempotencyKey("once").send();
    Response again =
        api.post("/v1/connectors", json(SANDBOX)).key(tenant.live()).idempotencyKey("once").send();
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.body()).isEqualTo(first.body());
  }

  private Response install(String more) {
    return send(
        "POST",
        "/v1/connectors",
        "{'listing_id':'cn-http','name':'acme','config':{'base_url':'%s','tools':[%s]},%s}"
            .formatted(upstream.url(), TOOL, more));
  }

  private Response send(String method, String path, String body) {
    TestApi.Request request = api.request(method, path).key(tenant.live());
    return (body.isEmpty() ? request : request.body(json(body))).send();
  }

  private static String json(String text) {
    return text.replace('\'', '"');
  }

  private static String path(JsonNode connector) {
    return "/v1/connectors/" + connector.get("id").textValue();
  }

  private static List<String> ids(Response response) {
    List<String> ids = new ArrayList<>();
    response.json().get("data").forEach(item -> ids.add(item.get("id").textValue()));
    return ids;
  }

  private static void assertError(Response response, int status, String code) {
    assertThat(response.status() + " " + response.code())
        .as(response.body())
        .isEqualTo(status + " " + code);
  }
}
