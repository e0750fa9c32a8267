package io.actiongovernance.localstack.acceptance.connector;

import static io.actiongovernance.localstack.acceptance.fixture.McpServers.tool;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.McpServers;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code cn-mcp} against servers of npm's SDK: of the newest revision, and of those before it
 * (contract, sections 2 and 5). Answers that these never give are in {@code McpToolCallerSpec}.
 */
@Acceptance
final class McpServersSpec {
  private static final String KEPT =
      """
      {"inverses":{"mcp.answer":{"tool":"mcp.keep",
        "args":{"content":"{{result.content}}","order":"{{args.order}}"}}}}
      """;

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

  private Answer tryInstall(Given given, String way, String config) {
    ObjectNode body = Json.object().put("listing_id", "cn-mcp").put("name", Given.unique("mcp"));
    ObjectNode read = (ObjectNode) Json.read(config);
    body.set("config", read.put("url", home.url(way)).put("settle_seconds", 0));
    return given.api().post("/v1/connectors", body);
  }

  private JsonNode install(Given given, String way, String config) {
    JsonNode connector = tryInstall(given, way, config).is(201);
    assertThat(connector.path("status").asText()).as(way).isEqualTo("connected");
    return connector;
  }

  /** An operator that may call what there is, of a connector with a tool that answers. */
  private Operator operator(Given given, String way, String config, ObjectNode... more) {
    ObjectNode[] all = new ObjectNode[more.length + 1];
    all[0] = tool("answer");
    System.arraycopy(more, 0, all, 1, more.length);
    home.list(all);
    String connector = install(given, way, config).path("id").asText();
    return given.operatorOf(given.api(), connector, Json.object(), Given.allow("mcp.*"));
  }

  private static ObjectNode args(String kind) {
    return Json.object().put("kind", kind).put("order", "1042");
  }

  private static Operator.Plan plan(Operator operator, String tool, ObjectNode args) {
    return operator.propose(operator.action(tool, "order:1042", args)).await("executed");
  }

  private static JsonNode receipt(Operator operator, ObjectNode args) {
    return plan(operator, "mcp.answer", args).receipt(0);
  }

  private static List<String> names(JsonNode connector) {
    return connector.path("tools").valueStream().map(one -> one.path("name").asText()).toList();
  }

  /** What an inverse is given of an answer is what the server said, to the last member. */
  @ParameterizedTest
  @CsvSource({
    "both/json, text",
    "both/json, image",
    "both/json, audio",
    "both/json, resource",
    "both/json, mixed",
    "both/json, none",
    "both/sse, text",
    "both/sse, mixed",
    "newest, resource",
    "newest, mixed",
    "sessions, text",
    "sessions, mixed",
  })
  void aCallAppliesAndItsContentIsHandedOnUnchanged(String way, String kind, Given given) {
    Operator operator = operator(given, way, KEPT, tool("keep"));
    Operator.Plan plan = plan(operator, "mcp.answer", args(kind));
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    JsonNode meta = home.calls().getFirst().path("meta");
    assertThat(meta.path("io.actiongovernance/idempotency-key"))
        .isEqualTo(receipt.path("idempotency_key"));
    assertThat(meta.path("io.actiongovernance/correlation-id"))
        .isEqualTo(receipt.path("correlation_id"));
    given.api().post("/v1/actions/" + plan.actionId(0) + "/undo", Json.object()).is(200);
    JsonNode content = home.calls().getLast().at("/args/content");
    assertThat(home.calls().getLast().path("tool").asText()).isEqualTo("keep");
    assertThat(content.valueStream().map(one -> one.path("type").asText()))
        .containsExactlyElementsOf(types(kind));
    if (kind.equals("mixed")) {
      assertThat(content.at("/1/data").asText()).hasSize(96);
      assertThat(content.at("/3/resource"))
          .isEqualTo(
              Json.read(
                  "{\"uri\":\"file:///a.txt\",\"mimeType\":\"text/plain\",\"text\":\"a\\nb\"}"));
    }
    assertThat(home.sessions()).as("sessions left open").isZero();
  }

  private static List<String> types(String kind) {
    return switch (kind) {
      case "none" -> List.of();
      case "resource" -> List.of("resource", "resource");
      case "mixed" -> List.of("text", "image", "audio", "resource", "resource_link", "text");
      default -> List.of(kind);
    };
  }

  /** What the server says at the end of its answer counts, however long that is. */
  @ParameterizedTest
  @CsvSource({
    "both/json, large,       10000000, applied",
    "both/sse,  large,       10000000, applied",
    "sessions,  large,       10000000, applied",
    "both/json, large_error, 10000000, failed",
    "both/json, large,       17000000, unknown",
  })
  void theEndOfALongAnswerDecidesTheOutcome(
      String way, String kind, int bytes, String outcome, Given given) {
    Operator operator = operator(given, way, "{\"did_not_act\":[\"mcp.answer\"]}");
    JsonNode receipt = receipt(operator, args(kind).put("bytes", bytes));
    assertThat(receipt.path("outcome").asText()).isEqualTo(outcome);
    assertThat(home.calls()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "both/json, error,       [],             unknown",
    "both/json, error,       [\"mcp.answer\"], failed",
    "sessions,  error,       [\"mcp.*\"],      failed",
    "both/json, thrown,      [],             unknown",
    "both/json, input,       [],             failed",
    "both/sse,  input,       [],             failed",
    "both/json, elicitation, [],             failed",
    "errors,    task,        [\"mcp.*\"],      unknown",
  })
  void anErrorAnswerGivesTheOutcomeItImplies(
      String way, String kind, String didNotAct, String outcome, Given given) {
    Operator operator = operator(given, way, "{\"did_not_act\":" + didNotAct + "}");
    assertThat(receipt(operator, args(kind)).path("outcome").asText()).isEqualTo(outcome);
    assertThat(home.calls()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "-32700, failed",
    "-32600, failed",
    "-32601, failed",
    "-32602, failed",
    "-32603, unknown",
    "-32000, unknown",
    "7,      unknown",
  })
  void aProtocolErrorIsAFailureIfItSaysThatNothingBegan(int code, String outcome, Given given) {
    Operator operator = operator(given, "errors", "{}");
    JsonNode receipt = receipt(operator, args("error").put("code", code));
    assertThat(receipt.path("outcome").asText()).isEqualTo(outcome);
    assertThat(receipt.path("error").asText()).contains("error " + code + ": as asked");
    assertThat(home.calls()).hasSize(1);
  }

  /** The server compares the header with the argument, and refuses a call where they differ. */
  @ParameterizedTest
  @ValueSource(strings = {"eu", " padded ", "münchen", "=?base64?ZXU=?="})
  void aMarkedArgumentIsRepeatedAsTheServerReadsIt(String region, Given given) {
    ObjectNode marked = tool("marked");
    marked
        .withObject("inputSchema")
        .putObject("properties")
        .putObject("region")
        .put("type", "string")
        .put("x-mcp-header", "Region");
    Operator operator = operator(given, "newest", "{}", marked);
    ObjectNode args = Json.object().put("region", region);
    assertThat(plan(operator, "mcp.marked", args).receipt(0).path("outcome").asText())
        .isEqualTo("applied");
    assertThat(home.calls().getFirst().at("/args/region").asText()).isEqualTo(region);
  }

  /** What a gateway calls its own tools is nobody else's concern: here it is a tool like others. */
  @Test
  void aToolNamedLikeOneOfTheServiceIsGovernedAsAnyOther(Given given) {
    Operator operator = operator(given, "newest", "{}", tool("governance_plan"));
    operator.guardrails(Given.block("mcp.governance_plan"));
    operator
        .tryPropose(operator.action("mcp.governance_plan", "order:1", args("text")))
        .isError(422, "policy_blocked");
    operator.guardrails(Given.allow("mcp.governance_plan"));
    plan(operator, "mcp.governance_plan", args("text"));
    assertThat(home.calls().getFirst().path("tool").asText()).isEqualTo("governance_plan");
  }

  @Test
  void collidingToolsGetDistinctNamesAndAreCalledByThem(Given given) {
    Operator operator =
        operator(given, "newest", "{}", tool("deleteDoc"), tool("delete-doc"), tool("DeleteDoc"));
    JsonNode connector = given.api().get("/v1/connectors/" + operator.connector()).is(200);
    assertThat(names(connector))
        .containsExactly(
            "mcp.answer", "mcp.delete_doc", "mcp.delete_doc_b13d", "mcp.delete_doc_f183");
    plan(operator, "mcp.delete_doc_f183", args("text"));
    plan(operator, "mcp.delete_doc", args("text"));
    assertThat(home.calls())
        .extracting(call -> call.path("tool").asText())
        .containsExactly("DeleteDoc", "deleteDoc");
  }

  @ParameterizedTest
  @ValueSource(strings = {"newest", "both/sse", "sessions"})
  void onlyToolsThatChangedOrDisappearedAreRefused(String way, Given given) {
    Operator operator = operator(given, way, "{}", tool("other"), tool("gone"));
    ObjectNode changed = tool("other");
    changed.withObject("inputSchema").putArray("required").add("order");
    home.list(tool("answer").put("description", "Other words."), changed, tool("new"));
    for (String tool : List.of("mcp.other", "mcp.gone")) {
      JsonNode error =
          operator
              .tryPropose(operator.action(tool, "order:1", args("text")))
              .isError(422, "policy_blocked");
      String receipt = error.at("/details/verdicts/0/receipt_id").asText();
      assertThat(given.api().get("/v1/receipts/" + receipt).is(200).path("reason").asText())
          .isEqualTo("tools_changed");
    }
    assertThat(home.calls()).isEmpty();
    assertThat(receipt(operator, args("text")).path("outcome").asText()).isEqualTo("applied");
  }

  @Test
  void aServerThatSpeaksNoKnownRevisionIsNotCalled(Given given) {
    home.list(tool("answer"));
    JsonNode connector = tryInstall(given, "another", "{}").is(201);
    assertThat(connector.path("status").asText()).isEqualTo("degraded");
    assertThat(connector.path("tools")).isEmpty();
    assertThat(connector.path("status_reason").asText()).contains("-32022");
  }

  @Test
  void aSilentServerIsDegradedAndItsCallsFail(Given given) {
    Operator operator = operator(given, "newest", "{}");
    ObjectNode change = Json.object();
    change.putObject("config").put("url", home.url("mute"));
    JsonNode moved = given.api().patch("/v1/connectors/" + operator.connector(), change).is(200);
    assertThat(moved.path("status").asText()).isEqualTo("degraded");
    assertThat(home.calls()).isEmpty();
  }

  /** It may be at work still. */
  @Test
  void anUnansweredCallIsUnknownAndMadeOnce(Given given) {
    Operator operator = operator(given, "both/json", "{\"did_not_act\":[\"mcp.*\"]}");
    Operator.Plan plan =
        operator.propose(operator.action("mcp.answer", "order:1042", args("hang")));
    JsonNode receipt = plan.await("executed").receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("unknown");
    assertThat(home.calls()).hasSize(1);
  }
}
