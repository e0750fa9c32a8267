package io.actiongovernance.localstack.acceptance.gateway;

import static io.actiongovernance.localstack.acceptance.fixture.Gateway.called;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.planId;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.status;
import static io.actiongovernance.localstack.acceptance.fixture.Gateway.text;
import static io.actiongovernance.localstack.acceptance.fixture.McpServers.tool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.McpServers;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whose words a call over the MCP gateway is answered with, and for whom (contract for agents,
 * sections 1 and 4): those of servers of npm's SDK, behind {@code cn-mcp}.
 */
@Acceptance
final class GatewayContentSpec {
  private static final String OURS = "io.actiongovernance/";

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static McpServers servers;

  private final McpServers.Home home = servers.new Home();

  @BeforeAll
  static void start() throws Exception {
    servers = McpServers.start();
  }

  @AfterAll
  static void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  private static ObjectNode args(String kind) {
    return Json.object().put("kind", kind).put("order", "1042");
  }

  /** An operator that may call whatever the server lists, under the names that it has there. */
  private Operator operator(Given given, String more) {
    ObjectNode body = Json.object().put("listing_id", "cn-mcp").put("name", Given.unique("mcp"));
    ObjectNode config = (ObjectNode) Json.read(more);
    body.set(
        "config",
        config.put("url", home.url("both/json")).put("prefix", "").put("settle_seconds", 0));
    String connector = given.api().post("/v1/connectors", body).is(201).path("id").asText();
    return given.operatorOf(
        given.api(),
        connector,
        Json.object(),
        Given.allow("answer"),
        Given.allow("governance_plan"));
  }

  private Gateway gateway(Given given, String more) {
    home.list(tool("answer"));
    return Gateway.of(given.apiOfRole("agent"), operator(given, more));
  }

  @ParameterizedTest
  @CsvSource({
    "text,     text",
    "image,    image",
    "audio,    audio",
    "resource, resource+resource",
    "mixed,    text+image+audio+resource+resource_link+text",
    "none,     ''",
  })
  void contentIsPassedOnUnchangedInBothRevisions(String kind, String types, Given given) {
    Gateway gateway = gateway(given, "{}");
    JsonNode modern = gateway.call("answer", args(kind));
    JsonNode before =
        gateway.before("tools/call", called("answer", args(kind).put("order", "1043")));
    for (JsonNode result : List.of(modern, before)) {
      List<String> got =
          result.path("content").valueStream().map(one -> one.path("type").asText()).toList();
      assertThat(String.join("+", got)).as("%s", result).isEqualTo(types);
      assertThat(result.path("isError").asBoolean()).isFalse();
    }
    assertThat(modern.path("content")).isEqualTo(before.path("content"));
    if (kind.equals("image")) {
      assertThat(modern.at("/content/0/data").asText()).hasSize(96).startsWith("iVBORw0KGgo");
      assertThat(modern.at("/content/0/mimeType").asText()).isEqualTo("image/png");
    }
  }

  /** What a server says of its answer is passed on; what it says as the service is not. */
  @Test
  void metaIsPassedOnWithoutForgedServiceFields(Given given) {
    Gateway gateway = gateway(given, "{}");
    JsonNode modern = gateway.call("answer", args("meta"));
    JsonNode before =
        gateway.before("tools/call", called("answer", args("meta").put("order", "1043")));
    for (JsonNode result : List.of(modern, before)) {
      assertThat(result.toString()).doesNotContain("forged", "IO.ActionGovernance.v2", "earlier");
      assertThat(result.at("/_meta/com.example~1trace/id").asInt()).isEqualTo(7);
      assertThat(planId(result)).startsWith("pl_");
      assertThat(result.at("/content/0/_meta/com.example~1part").asInt()).isEqualTo(1);
      assertThat(result.at("/content/1/resource/text").asText()).isEqualTo("a\nb");
    }
    assertThat(modern.at("/_meta/io.modelcontextprotocol~1serverInfo/name").asText())
        .isEqualTo("action-governance");
    assertThat(before.path("_meta").propertyStream().map(Map.Entry::getKey))
        .allMatch(key -> key.startsWith(OURS) || key.equals("com.example/trace"));
  }

  /** With {@code did_not_act} it is a failure, without nobody knows. */
  @ParameterizedTest
  @CsvSource({
    "error,            [],           unknown",
    "error,            [\"answer\"], failed",
    "error_elsewhere,  [\"answer\"], failed",
    "error_structured, [],           unknown",
    "error_structured, [\"answer\"], failed",
  })
  void anErrorIsPassedOnInTheServersWords(
      String kind, String didNotAct, String status, Given given) {
    Gateway gateway = gateway(given, "{\"did_not_act\":" + didNotAct + "}");
    JsonNode result = gateway.call("answer", args(kind));
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(status(result)).isEqualTo(status);
    assertThat(text(result)).contains("no such order", "rc_");
  }

  @ParameterizedTest
  @CsvSource({"[],           unknown", "[\"answer\"], failed"})
  void withoutTheResultsScopeNoErrorTextIsShown(String didNotAct, String status, Given given) {
    home.list(tool("answer"));
    Operator operator = operator(given, "{\"did_not_act\":" + didNotAct + "}");
    Gateway gateway = Gateway.of(given.apiOfScopes("plans:propose"), operator).withTasks();
    JsonNode result = gateway.call("answer", args("error"));
    String plan = planId(result);
    for (JsonNode told : List.of(result, gateway.plan(plan), gateway.task(plan).path("result"))) {
      assertThat(told.toString()).doesNotContain("no such order").contains("rc_");
      assertThat(told.path("isError").asBoolean()).isTrue();
      assertThat(status(told)).isEqualTo(status);
      assertThat(text(told)).contains("may not read");
    }
  }

  /** The same message under the same Idempotency-Key, sent by a key that did not make the call. */
  @ParameterizedTest
  @ValueSource(strings = {"text", "error"})
  void aReplayByAnotherKeyShowsNothingOfTheAnswer(String kind, Given given) {
    Gateway gateway = gateway(given, "{\"did_not_act\":[\"answer\"]}");
    ObjectNode call = gateway.modern("tools/call", called("answer", args(kind)));
    String key = Given.unique("key");
    JsonNode first = gateway.send(call, "Idempotency-Key", key).is(200).path("result");
    String said = kind.equals("text") ? "plain" : "no such order";
    assertThat(text(first)).contains(said);
    Gateway other = gateway.as(given.apiOfRole("agent"));
    JsonNode again = other.send(call, "Idempotency-Key", key).is(200).path("result");
    assertThat(planId(again)).isEqualTo(planId(first));
    assertThat(again.toString()).doesNotContain(said, "not kept").contains("rc_");
    assertThat(text(again)).contains("Another key made this call");
    assertThat(home.calls()).hasSize(1);
  }

  @Test
  void aServersToolNamedLikeTheGatewaysOwnHasAPrefixedName(Given given) {
    home.list(tool("answer"), tool("governance_plan"));
    Operator operator = operator(given, "{}");
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator);
    JsonNode own = gateway.call("governance_plan", args("text"));
    assertThat(own.path("isError").asBoolean()).isTrue();
    assertThat(home.calls()).isEmpty();
    String name =
        gateway
            .result("tools/list", Json.object())
            .path("tools")
            .valueStream()
            .map(one -> one.path("name").asText())
            .filter(one -> one.endsWith("_governance_plan"))
            .findFirst()
            .orElseThrow();
    assertThat(text(gateway.call(name, args("text")))).isEqualTo("plain");
    assertThat(home.calls()).hasSize(1);
  }

  /** Ten megabytes are read to the end, since the end says whether it is an error. */
  @Test
  void aTenMegabyteAnswerIsReplacedByItsAddress(Given given) {
    Gateway gateway = gateway(given, "{}");
    JsonNode result = gateway.call("answer", args("large").put("bytes", 10_000_000));
    assertThat(result.path("isError").asBoolean()).isFalse();
    assertThat(text(result)).contains("/v1/actions/", "/result").hasSizeLessThan(1_000);
    String action = result.at("/_meta/io.actiongovernance~1action_id").asText();
    JsonNode kept = gateway.api().get("/v1/actions/" + action + "/result").is(200);
    assertThat(kept.path("truncated").asBoolean()).isTrue();
    assertThat(kept.path("body").asText()).startsWith("{").contains("xxxx");
  }

  @Test
  void aToolThatDisappearedIsRefusedAndNotCalled(Given given) {
    Gateway gateway = gateway(given, "{}");
    home.list(tool("other"));
    JsonNode refused = gateway.call("answer", args("text"));
    assertThat(refused.path("isError").asBoolean()).isTrue();
    assertThat(status(refused)).as("%s", refused).isEqualTo("refused");
    assertThat(refused.toString()).contains("rc_");
    assertThat(home.calls()).isEmpty();
  }

  @Test
  void aServerThatSpeaksNoKnownRevisionIsNotCalled(Given given) {
    home.list(tool("answer"));
    Operator operator = operator(given, "{}");
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator);
    home.speak("another");
    JsonNode failed = gateway.call("answer", args("text"));
    assertThat(failed.path("isError").asBoolean()).isTrue();
    assertThat(status(failed)).isEqualTo("failed");
    assertThat(text(failed)).contains("-32022", "rc_");
    assertThat(home.calls()).isEmpty();
  }
}
