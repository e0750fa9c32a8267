package io.actiongovernance.localstack.acceptance.connector;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connectors: install, change, test, uninstall (specification, Connectors; contract, section 5).
 */
@Acceptance
final class ConnectorsSpec {
  private static final String SECRET = "ghp_0123456789abcdef";

  private static ObjectNode sandbox() {
    return Json.object().put("listing_id", "cn-sandbox").put("name", Given.unique("sandbox"));
  }

  private static ObjectNode github(Given given) {
    ObjectNode body = Json.object().put("listing_id", "cn-github").put("name", Given.unique("git"));
    body.putObject("config").put("base_url", given.upstream().url());
    body.putObject("credentials").put("type", "bearer").put("token", SECRET);
    return body;
  }

  private static String create(Api api, ObjectNode body) {
    return "/v1/connectors/" + api.post("/v1/connectors", body).is(201).path("id").asText();
  }

  private static String status(Api api, String path) {
    return api.get(path).is(200).path("status").asText();
  }

  @Test
  void aConnectorHasItsFieldsAndNeverShowsItsCredentials(Given given) {
    Answer created = given.api().post("/v1/connectors", github(given));
    JsonNode connector = created.is(201);
    assertThat(connector.properties())
        .extracting(Map.Entry::getKey)
        .contains(
            "id",
            "object",
            "listing_id",
            "name",
            "status",
            "workspace_id",
            "config",
            "credentials",
            "tools",
            "created_at",
            "updated_at");
    assertThat(connector.path("status").asText()).isEqualTo("connected");
    assertThat(connector.path("credentials").toString())
        .isEqualTo("{\"type\":\"bearer\",\"hint\":\"…cdef\"}");
    String path = "/v1/connectors/" + connector.path("id").asText();
    assertThat(given.api().get(path).is(200)).isEqualTo(connector);
    assertThat(given.api().get("/v1/connectors").data().getFirst()).isEqualTo(connector);
    for (String text :
        List.of(
            created.text(),
            given.api().get(path).text(),
            given.api().get("/v1/connectors").text())) {
      assertThat(text).doesNotContain(SECRET);
    }
    assertThat(given.upstream().calls("/rate_limit"))
        .singleElement()
        .satisfies(call -> assertThat(call.header("Authorization")).isEqualTo("Bearer " + SECRET));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403})
  void rejectedCredentialsInstallNothing(int status, Given given) {
    given
        .upstream()
        .next(
            "/rate_limit",
            new Upstream.Behaviour.Fail(status, "{\"token\":\"" + SECRET + "\"}", Map.of()));
    Answer refused = given.api().post("/v1/connectors", github(given));
    refused.isError(422, "auth_failed");
    assertThat(refused.text()).doesNotContain(SECRET);
    assertThat(given.api().get("/v1/connectors").data()).isEmpty();
  }

  @Test
  void anUpstreamThatErrsInstallsAsDegraded(Given given) {
    given.upstream().next("/rate_limit", new Upstream.Behaviour.Fail(500, "{}", Map.of()));
    String path = create(given.api(), github(given));
    assertThat(status(given.api(), path)).isEqualTo("degraded");
    given.api().post(path + "/test").is(200);
    assertThat(status(given.api(), path)).isEqualTo("connected");
  }

  @Test
  void aTestSetsTheStatus(Given given) {
    Api api = given.api();
    String path = create(api, github(given));
    JsonNode passed = api.post(path + "/test").is(200);
    assertThat(passed.properties())
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
    assertThat(passed.path("object").asText()).isEqualTo("connector_test");
    assertThat(passed.path("ok").asBoolean()).isTrue();
    given.upstream().next("/rate_limit", new Upstream.Behaviour.Fail(418, "{}", Map.of()));
    api.post(path + "/test").is(200);
    for (int at = 0; at < 3; at++) {
      given.upstream().next("/rate_limit", new Upstream.Behaviour.Fail(503, "{}", Map.of()));
      api.post(path + "/test").isError(502, "connector_upstream_error");
    }
    assertThat(status(api, path)).isEqualTo("degraded");
    given.upstream().next("/rate_limit", new Upstream.Behaviour.Fail(401, "{}", Map.of()));
    api.post(path + "/test").isError(422, "auth_failed");
    assertThat(status(api, path)).isEqualTo("error");
    api.post(path + "/test").is(200);
    assertThat(status(api, path)).isEqualTo("connected");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"name\":\"A\" | name",
        "\"name\":\"a_b\" | name",
        "\"listing_id\":\"cn-nothing\" | listing_id",
        "\"listing_id\":7 | listing_id",
        "\"config\":{\"colour\":\"red\"} | config",
        "\"config\":[] | config",
        "\"credentials\":{\"type\":\"bearer\",\"token\":\"x\"} | credentials.type",
        "\"credentials\":{\"type\":\"none\",\"token\":\"x\"} | credentials.token",
        "\"workspace_id\":\"\" | workspace_id",
        "\"status\":\"connected\" | status",
      })
  void aBadFieldIsNamed(String field, String param, Given given) {
    ObjectNode body = sandbox();
    body.setAll((ObjectNode) Json.read("{" + field + "}"));
    given.api().post("/v1/connectors", body).isInvalid(param);
    assertThat(given.api().get("/v1/connectors").data()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://10.0.0.1",
        "https://10.0.0.1",
        "https://169.254.169.254/latest",
        "https://[::ffff:10.0.0.1]",
        "https://[fd00::1]",
        "https://0.0.0.0",
        "ftp://example.com",
        "https://user:pass@example.com",
        "https://example.com?x=1",
        "https://example.com#x",
        "file:///etc/passwd",
        "x",
      })
  void anAddressInsideTheNetworkOrNoAddressIsRefused(String url, Given given) {
    ObjectNode body = github(given);
    body.putObject("config").put("base_url", url);
    given.api().post("/v1/connectors", body).isInvalid("config.base_url");
  }

  @Test
  void toolsOfCnHttpAreReadFieldByField(Given given) {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("shop"));
    ObjectNode config = body.putObject("config").put("base_url", given.upstream().url());
    config.putArray("tools");
    given.api().post("/v1/connectors", body).isInvalid("config.tools");
    ObjectNode tool =
        (ObjectNode)
            Json.read(
                """
                {"name":"a.b","capability":"a","tier":2,"input_schema":{"type":"object"},
                 "request":{"method":"POST","path":"/x"}}
                """);
    Map<String, JsonNode> wrong =
        Map.of(
            "name", Json.read("\"A\""),
            "tier", Json.read("4"),
            "input_schema", Json.read("{\"type\":\"strange\"}"),
            "inverse.tool", Json.read("{\"tool\":\"no.such\"}"),
            "request.path", Json.read("{\"method\":\"POST\",\"path\":\"/../x\"}"),
            "request.method", Json.read("{\"method\":\"TRACE\",\"path\":\"/x\"}"));
    wrong.forEach(
        (param, value) -> {
          ObjectNode bad = tool.deepCopy();
          bad.set(param.replaceAll("\\..*", ""), value);
          config.putArray("tools").add(bad);
          given.api().post("/v1/connectors", body).isInvalid("config.tools[0]." + param);
        });
    config.putArray("tools").add(tool);
    given.api().post("/v1/connectors", body).is(201);
  }

  private static ObjectNode shopWith(Given given, String request) {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("shop"));
    ObjectNode config = body.putObject("config").put("base_url", given.upstream().url());
    ObjectNode tool = config.putArray("tools").addObject().put("name", "shop.close").put("tier", 2);
    tool.put("capability", "shop").putObject("input_schema");
    ObjectNode made = tool.putObject("request").put("method", "POST").put("path", "/close");
    made.setAll((ObjectNode) Json.read("{" + request + "}"));
    return body;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"headers\":{\"X-Api-Key\":\"abc\"} | headers.X-Api-Key",
        "\"headers\":{\"Cookie\":\"session=abc\"} | headers.Cookie",
        "\"query\":{\"api_key\":\"abc\"} | query.api_key",
        "\"body\":{\"auth\":{\"client_secret\":\"abc\"}} | body.auth.client_secret",
      })
  void aCredentialInTheRequestOfAToolIsRefused(String request, String at, Given given) {
    ObjectNode body = shopWith(given, request);
    String param = "config.tools[0].request." + at;
    Answer refused = given.api().post("/v1/connectors", body);
    refused.isInvalid(param);
    assertThat(refused.text()).contains("credentials of type").doesNotContain("abc");
    String path = create(given.api(), shopWith(given, "\"query\":{\"page\":\"1\"}"));
    given.api().patch(path, Json.object().set("config", body.path("config"))).isInvalid(param);
  }

  @Test
  void aKeyInTheQueryIsACredentialThatIsNeverShown(Given given) {
    String secret = Given.unique("key in the query/*");
    ObjectNode body = shopWith(given, "\"query\":{\"dry\":\"{{args.dry}}\"}");
    body.putObject("credentials").put("type", "query").put("name", "api_key").put("value", secret);
    Answer installed = given.api().post("/v1/connectors", body);
    String id = installed.is(201).path("id").asText();
    assertThat(installed.json().at("/credentials/type").asText()).isEqualTo("query");
    Operator desk = given.operatorOf(given.api(), id, Json.object(), Given.alert("shop.close"));
    Operator.Plan plan =
        desk.propose(desk.action("shop.close", "shop:1", Json.object().put("dry", "no")));
    assertThat(plan.json().at("/actions/0/call/url").asText())
        .isEqualTo(given.upstream().url() + "/close?dry=no");
    JsonNode approved = plan.approve();
    String sent = secret.replace(" ", "%20").replace("/", "%2F").replace("*", "%2A");
    assertThat(given.upstream().calls("/close"))
        .singleElement()
        .satisfies(call -> assertThat(call.path()).endsWith("/close?dry=no&api_key=" + sent));
    String result = given.api().get("/v1/actions/" + plan.actionId(0) + "/result").text();
    assertThat(result).contains("api_key=[redacted]");
    for (String text :
        List.of(
            result,
            installed.text(),
            approved.toString(),
            plan.receipt(0).toString(),
            given.api().get("/v1/connectors").text())) {
      assertThat(text).doesNotContain(secret).doesNotContain(sent);
    }
  }

  @Test
  void noArgumentReplacesACredentialInTheQuery(Given given) {
    ObjectNode body = shopWith(given, "\"query\":{\"api_key\":\"{{args.key}}\"}");
    body.putObject("credentials")
        .put("type", "query")
        .put("name", "api_key")
        .put("value", Given.unique("key"));
    String id = given.api().post("/v1/connectors", body).is(201).path("id").asText();
    Operator desk = given.operatorOf(given.api(), id, Json.object(), Given.allow("shop.close"));
    Operator.Plan plan =
        desk.propose(desk.action("shop.close", "shop:1", Json.object().put("key", "another")));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("failed");
    assertThat(given.upstream().calls("/close")).isEmpty();
  }

  /** Whatever is installed can be requested: else each reader of a plan would meet what is not. */
  @Test
  void aConfigWithoutAValidUrlIsNotInstalled(Given given) {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("shop"));
    ObjectNode config = body.putObject("config").put("base_url", "https://shop.example:99999");
    ObjectNode tool = config.putArray("tools").addObject().put("name", "a.b").put("tier", 2);
    tool.put("capability", "a").putObject("input_schema");
    ObjectNode request = tool.putObject("request").put("method", "POST").put("path", "/x");
    given.api().post("/v1/connectors", body).isInvalid("config.base_url");
    config.put("base_url", given.upstream().url());
    ObjectNode test = config.putObject("test").put("method", "GET");
    for (String path : List.of("/{{args.x}}", "/a%zz")) {
      test.put("path", path);
      given.api().post("/v1/connectors", body).isInvalid("config.test.path");
    }
    test.put("path", "/a%20b");
    for (String path : List.of("/%", "/a%zz", "/%{{args.x}}", "/%2{{args.x}}")) {
      request.put("path", path);
      given.api().post("/v1/connectors", body).isInvalid("config.tools[0].request.path");
    }
    request.put("path", "/a%20b/{{args.x}}");
    given.api().post("/v1/connectors", body).is(201);
  }

  @Test
  void aTooCostlySchemaIsRefusedWithoutDelayingOthers(Given given) {
    ObjectNode body = Json.object().put("listing_id", "cn-http").put("name", Given.unique("shop"));
    ObjectNode config = body.putObject("config").put("base_url", given.upstream().url());
    ObjectNode tool =
        (ObjectNode)
            Json.read(
                """
                {"name":"a.b","capability":"a","tier":2,"input_schema":{"type":"object"},
                 "request":{"method":"POST","path":"/x"}}
                """);
    config.putArray("tools").add(tool);
    String path = create(given.api(), body);
    for (ObjectNode schema : List.of(doubledReferences(21), itemsOfItems(1_000, 9))) {
      tool.set("input_schema", schema);
      given
          .api()
          .post("/v1/connectors", body.deepCopy().put("name", Given.unique("shop")))
          .isInvalid("config.tools[0].input_schema");
      given
          .api()
          .patch(path, Json.object().set("config", config))
          .isInvalid("config.tools[0].input_schema");
    }
    given.api().get(path).is(200);
  }

  /** Definitions that refer to the next one twice. */
  private static ObjectNode doubledReferences(int definitions) {
    ObjectNode schema = Json.object().put("$ref", "#/$defs/d0");
    ObjectNode all = schema.putObject("$defs");
    for (int at = 0; at < definitions; at++) {
      String next = "#/$defs/d" + (at + 1);
      ObjectNode both = all.putObject("d" + at).putObject("properties");
      both.putObject("a").put("$ref", next);
      both.putObject("b").put("$ref", next);
    }
    all.putObject("d" + definitions).put("type", "object");
    return schema;
  }

  /** Lists of so many lists, whose one sample would be as many to the power of the levels. */
  private static ObjectNode itemsOfItems(int least, int levels) {
    ObjectNode items = Json.object();
    for (int level = 0; level < levels; level++) {
      ObjectNode outer = Json.object().put("type", "array").put("minItems", least);
      outer.set("items", items);
      items = outer;
    }
    ObjectNode schema = Json.object();
    schema.putArray("required").add("a");
    schema.putObject("properties").set("a", items);
    return schema;
  }

  @Test
  void aNameIsUnique(Given given) {
    ObjectNode body = sandbox();
    create(given.api(), body);
    given.api().post("/v1/connectors", body).isError(409, "state_conflict");
    String other = create(given.api(), sandbox());
    given
        .api()
        .patch(other, Json.object().put("name", body.path("name").asText()))
        .isError(409, "state_conflict");
    JsonNode renamed = given.api().patch(other, Json.object().put("name", "renamed")).is(200);
    assertThat(renamed.path("name").asText()).isEqualTo("renamed");
  }

  @Test
  void atMost25ConnectorsAreInstalled(Given given) {
    for (int at = 1; at < 25; at++) {
      create(given.api(), sandbox());
    }
    String last = create(given.api(), sandbox());
    Answer refused = given.api().post("/v1/connectors", sandbox());
    refused.isError(429, "quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    given.api().delete(last).is(200);
    create(given.api(), sandbox());
  }

  @Test
  void storedCredentialsAreNotSentToAnotherServer(Given given) {
    String path = create(given.api(), github(given));
    ObjectNode elsewhere = Json.object();
    elsewhere.putObject("config").put("base_url", given.upstream().url() + "/elsewhere");
    JsonNode error = given.api().patch(path, elsewhere).isError(400, "missing_parameter");
    assertThat(error.path("param").asText()).isEqualTo("credentials");
    elsewhere.putObject("credentials").put("type", "bearer").put("token", "another-" + SECRET);
    given.api().patch(path, elsewhere).is(200);
  }

  @Test
  void theOnlyFulfillerOfACapabilityCannotBeRemoved(Given given) {
    String path = "/v1/connectors/" + given.connector();
    ObjectNode fields = Json.object();
    fields.putArray("capabilities").add("pay.refund");
    Operator operator = given.operatorWith(fields);
    given.api().delete(path).isError(409, "connector_in_use");
    String second = "/v1/connectors/" + given.install(given.api(), null);
    given.api().delete(second).is(200);
    given.api().post("/v1/operators/" + operator.id() + "/pause").is(200);
    JsonNode deleted = given.api().delete(path).is(200);
    assertThat(deleted.toString())
        .isEqualTo(
            "{\"id\":\"" + given.connector() + "\",\"object\":\"connector\",\"deleted\":true}");
    given.api().get(path).isError(404, "not_found");
    given.api().delete(path).isError(404, "not_found");
  }

  @Test
  void theListIsFilteredByStatusAndListing(Given given) {
    Api api = given.api();
    String one = create(api, sandbox());
    given.upstream().next("/rate_limit", new Upstream.Behaviour.Fail(500, "{}", Map.of()));
    String two = create(api, github(given));
    Await.until(
        Duration.ofSeconds(5),
        () -> api.get("/v1/connectors?status=degraded").ids(),
        ids -> ids.equals(List.of(last(two))));
    assertThat(api.get("/v1/connectors?listing_id=cn-sandbox").ids()).containsExactly(last(one));
    assertThat(api.get("/v1/connectors").ids()).containsExactly(last(two), last(one));
    api.get("/v1/connectors?status=broken").isInvalid("status");
  }

  private static String last(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
