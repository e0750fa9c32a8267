package io.actiongovernance.localstack.acceptance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.fixture.Npm;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.jackson2.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator.ValidationResponse;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The MCP gateway before judges that we did not write: the protocol's conformance suite, the
 * official clients in both eras, and the schemas of the extension for tasks, through a restart of
 * the stack between a question to a person and its answer.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class GatewayJudgesSpec {
  private static final String REFUND = "sandbox_payment_refund";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** What there is through all restarts: keys and names, no connections. */
  private record Desk(String admin, String agent, String operator) {
    Api api(EmbeddedStack stack, HttpClient client, String key) {
      return new Api(client, stack.baseUrl(), key);
    }

    Gateway gateway(EmbeddedStack stack, HttpClient client) {
      return new Gateway(api(stack, client, agent), operator, Gateway.TASKS);
    }

    String url(EmbeddedStack stack) {
      return stack.baseUrl() + "/v1/operators/" + operator + "/mcp";
    }
  }

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    ConformanceSuite.install();
  }

  private static Desk desk(EmbeddedStack stack, HttpClient client) throws Exception {
    String admin = Stack.newTenant(stack, "judged").keys().live();
    Api api = new Api(client, stack.baseUrl(), admin);
    api.post("/v1/connectors", Json.object().put("listing_id", "cn-sandbox").put("name", "sandbox"))
        .is(201);
    ObjectNode body = Json.object().put("name", "desk");
    body.putArray("guardrails")
        .add(Given.alert("sandbox.payment.refund"))
        .add(Given.allow("sandbox.deploy.run"))
        .add(Given.block("sandbox.deploy.run"));
    String operator = api.post("/v1/operators", body).is(201).path("id").asText();
    String agent =
        api.post("/v1/keys", Json.object().put("name", "agent").put("role", "agent"))
            .is(201)
            .path("secret")
            .asText();
    return new Desk(admin, agent, operator);
  }

  private static JsonNode call(
      String url, String key, String mode, String tool, ObjectNode args, String... extension)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ConformanceSuite.node(),
                ConformanceSuite.script("call.mjs"),
                url,
                key,
                mode,
                tool,
                Json.write(args)));
    command.addAll(List.of(extension));
    Npm.Said said = Npm.run(new ProcessBuilder(command));
    assertThat(said.status()).as(said.text()).isZero();
    return Json.read(said.text());
  }

  private static ObjectNode refund(String order) {
    return Json.object().put("order", order).put("amount", "5");
  }

  private static void approve(Api admin, String plan) {
    admin.postPatiently("/v1/plans/" + plan + "/approve", Json.object()).is(200);
  }

  @ParameterizedTest
  @CsvSource({"auto,2026-07-28", "legacy,2025-11-25"})
  void theOfficialClientIsServedThroughARestart(String mode, String revision) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Desk desk;
      String plan;
      try (EmbeddedStack stack = Stack.startOn(folder)) {
        desk = desk(stack, client);
        JsonNode read =
            call(desk.url(stack), desk.agent(), mode, "sandbox_effects_count", Json.object());
        assertThat(read.path("version").asText()).isEqualTo(revision);
        assertThat(read.path("tools").valueStream().map(JsonNode::asText))
            .contains(REFUND, "governance_plan")
            .doesNotContain("sandbox_deploy_run");
        assertThat(Json.read(Gateway.text(read.path("result"))).has("count")).isTrue();
        JsonNode refused =
            call(
                    desk.url(stack),
                    desk.agent(),
                    mode,
                    "sandbox_deploy_run",
                    Json.object().put("service", "web").put("version", "2"))
                .path("result");
        assertThat(refused.path("isError").asBoolean()).as("%s", refused).isTrue();
        assertThat(Gateway.text(refused)).contains("block-sandbox-deploy-run");
        JsonNode held = call(desk.url(stack), desk.agent(), mode, REFUND, refund("1"));
        plan = Gateway.planId(held.path("result"));
        assertThat(Gateway.status(held.path("result"))).as("%s", held).isEqualTo("held");
      }
      try (EmbeddedStack again = Stack.startOn(folder)) {
        approve(desk.api(again, client, desk.admin()), plan);
        JsonNode done =
            call(
                    desk.url(again),
                    desk.agent(),
                    mode,
                    "governance_plan",
                    Json.object().put("plan_id", plan))
                .path("result");
        assertThat(Json.read(Gateway.text(done)).has("id")).as("%s", done).isTrue();
      }
    }
  }

  /** docs/agent-frameworks.md warns of this. If a release mends it, the page changes too. */
  @Test
  void theOfficialClientThrowsOnADeclaredTaskAlthoughThePlanExists() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient();
        EmbeddedStack stack = Stack.startOn(folder)) {
      Desk desk = desk(stack, client);
      JsonNode said =
          call(
              desk.url(stack),
              desk.agent(),
              "auto",
              REFUND,
              refund("1"),
              "io.modelcontextprotocol/tasks");
      assertThat(said.at("/result/thrown").asText())
          .isEqualTo("Unsupported result type 'task' for tools/call");
      assertThat(
              desk.api(stack, client, desk.admin())
                  .get("/v1/plans?status=proposed")
                  .is(200)
                  .at("/data"))
          .hasSize(1);
    }
  }

  @Test
  void aTaskFollowsTheExtensionAndSurvivesARestart() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      Desk desk;
      JsonNode created;
      try (EmbeddedStack stack = Stack.startOn(folder)) {
        desk = desk(stack, client);
        created = desk.gateway(stack, client).call(REFUND, refund("1"));
      }
      try (EmbeddedStack again = Stack.startOn(folder)) {
        String id = created.path("taskId").asText();
        approve(desk.api(again, client, desk.admin()), id);
        JsonNode done = desk.gateway(again, client).task(id);
        assertThat(done.path("status").asText()).isEqualTo("completed");
        Npm.Said said =
            Npm.run(
                new ProcessBuilder(
                    ConformanceSuite.node(),
                    ConformanceSuite.script("task.mjs"),
                    Json.write(created),
                    Json.write(done)));
        assertThat(said.text()).isEqualTo("true true");
      }
    }
  }

  @Test
  void theClientOfTheSdkForJavaIsServed() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient();
        EmbeddedStack stack = Stack.startOn(folder)) {
      Desk desk = desk(stack, client);
      var transport =
          HttpClientStreamableHttpTransport.builder(stack.baseUrl().toString())
              .endpoint("/v1/operators/" + desk.operator() + "/mcp")
              .jsonMapper(new JacksonMcpJsonMapper(new ObjectMapper()))
              .requestBuilder(
                  HttpRequest.newBuilder().header("Authorization", "Bearer " + desk.agent()))
              .build();
      try (McpSyncClient mcp =
          McpClient.sync(transport)
              .jsonSchemaValidator((schema, content) -> ValidationResponse.asValid(""))
              .build()) {
        mcp.initialize();
        assertThat(mcp.listTools().tools()).anyMatch(tool -> tool.name().equals(REFUND));
        CallToolResult read =
            mcp.callTool(new CallToolRequest("sandbox_effects_count", Map.of(), Map.of()));
        assertThat(read.isError()).isNotEqualTo(true);
        assertThat(((TextContent) read.content().getFirst()).text()).contains("count");
        CallToolResult held =
            mcp.callTool(
                new CallToolRequest(REFUND, Map.of("order", "1", "amount", "5"), Map.of()));
        assertThat(((TextContent) held.content().getFirst()).text()).contains("pl_");
      }
    }
  }

  @Test
  void theConformanceSuiteFindsNothing() throws Exception {
    try (HttpClient client = HttpClient.newHttpClient();
        EmbeddedStack stack = Stack.startOn(folder)) {
      Desk desk = desk(stack, client);
      try (ConformanceSuite suite = ConformanceSuite.before(desk.url(stack), desk.agent())) {
        for (String[] scenario :
            List.of(
                new String[] {"2026-07-28", "server-stateless"},
                new String[] {"2026-07-28", "http-header-validation"},
                new String[] {"2026-07-28", "tools-list"},
                new String[] {"2026-07-28", "dns-rebinding-protection"},
                new String[] {"2025-11-25", "server-initialize"},
                new String[] {"2025-11-25", "ping"},
                new String[] {"2025-11-25", "tools-list"},
                new String[] {"2025-11-25", "dns-rebinding-protection"})) {
          judged(suite, scenario[0], scenario[1]);
        }
      }
    }
  }

  /** What the suite cannot test for want of its own tools, it says so of; all else succeeds. */
  private static void judged(ConformanceSuite suite, String revision, String scenario)
      throws IOException, InterruptedException {
    String text = suite.told(revision, scenario);
    assertThat(text).as("%s %s", revision, scenario).contains("Test Results:");
    assertThat(count(text, "\"status\": \"FAILURE\""))
        .as("%s %s: %s", revision, scenario, text)
        .isEqualTo(count(text, "\"errorMessage\": \"Not testable: "));
  }

  private static long count(String text, String what) {
    return text.lines().filter(line -> line.contains(what)).count();
  }
}
