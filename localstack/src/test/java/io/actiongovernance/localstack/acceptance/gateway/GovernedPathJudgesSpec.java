package io.actiongovernance.localstack.acceptance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.McpServers;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.fixture.Npm;
import io.actiongovernance.localstack.fixture.Npm.Said;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The governed path end to end before judges that we did not write: what the protocol's conformance
 * suite and its inspector find at a server of npm's SDK, they find through the gateway, where the
 * server is behind {@code cn-mcp} with an empty prefix and each of its tools is allowed.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class GovernedPathJudgesSpec {
  private static final Path INSPECTOR = Path.of("target/npm-mcp-inspector");

  private static final List<String> TOOLS =
      List.of(
          "test_simple_text",
          "test_image_content",
          "test_audio_content",
          "test_embedded_resource",
          "test_multiple_content_types",
          "test_error_handling");

  /** Under which each call reaches the server: that of a plan of its own. */
  private static final String KEY = "/meta/io.actiongovernance~1idempotency-key";

  @SuppressWarnings("NullAway.Init") // JUnit sets it
  private static McpServers servers;

  private final McpServers.Home home = servers.new Home();

  @BeforeAll
  static void start() throws Exception {
    ConformanceSuite.install();
    ConformanceSuite.install(INSPECTOR, Path.of("src/test/npm/mcp-inspector"));
    servers = McpServers.start();
  }

  @AfterAll
  static void stop() {
    if (servers != null) {
      servers.close();
    }
  }

  /** An operator that may call all of a server's tools. */
  private Operator operator(Given given, String way) {
    home.list(TOOLS.stream().map(McpServers::tool).toArray(ObjectNode[]::new));
    ObjectNode body = Json.object().put("listing_id", "cn-mcp").put("name", Given.unique("mcp"));
    body.putObject("config").put("url", home.url(way)).put("prefix", "").put("settle_seconds", 0);
    String connector = given.api().post("/v1/connectors", body).is(201).path("id").asText();
    return given.operatorOf(
        given.api(),
        connector,
        Json.object(),
        TOOLS.stream().map(Given::allow).toArray(ObjectNode[]::new));
  }

  @ParameterizedTest
  @CsvSource({
    "both/json, 2026-07-28",
    "both/json, 2025-11-25",
    "sessions,  2025-11-25",
  })
  void theConformanceSuiteGetsTheServersAnswers(String way, String revision, Given given)
      throws Exception {
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator(given, way));
    try (ConformanceSuite suite = ConformanceSuite.before(url(gateway), key(gateway))) {
      for (String scenario :
          List.of(
              "tools-call-simple-text",
              "tools-call-image",
              "tools-call-audio",
              "tools-call-embedded-resource",
              "tools-call-mixed-content",
              "tools-call-error")) {
        assertThat(suite.told(revision, scenario))
            .as("%s %s", revision, scenario)
            .contains("\"status\": \"SUCCESS\"")
            .doesNotContain("\"status\": \"FAILURE\"");
      }
    }
    assertThat(home.calls().stream().map(call -> call.path("tool").asText()))
        .containsExactlyElementsOf(TOOLS);
    assertThat(home.calls()).allMatch(call -> call.at(KEY).asText().startsWith("mcp-pl_"));
  }

  @Test
  void theInspectorListsToolsAndCallsOne(@TempDir Path alone, Given given) throws Exception {
    Gateway gateway = Gateway.of(given.apiOfRole("agent"), operator(given, "both/json"));
    JsonNode listed = inspected(alone, gateway, "tools/list");
    assertThat(listed.path("tools").valueStream().map(one -> one.path("name").asText()))
        .containsAll(TOOLS)
        .contains("governance_plan", "governance_withdraw");
    JsonNode called =
        inspected(alone, gateway, "tools/call", "--tool-name", "test_multiple_content_types");
    assertThat(called.path("content").valueStream().map(one -> one.path("type").asText()))
        .containsExactly("text", "image", "resource");
    assertThat(Gateway.planId(called)).startsWith("pl_");
    assertThat(home.calls()).hasSize(1);
  }

  private static JsonNode inspected(Path alone, Gateway gateway, String method, String... more)
      throws Exception {
    Path inspector =
        Npm.file(INSPECTOR, "@modelcontextprotocol/inspector/clients/launcher/build/index.js");
    List<String> command = new ArrayList<>(List.of("node", inspector.toString(), "--cli"));
    command.addAll(List.of("--transport", "http", "--server-url", url(gateway)));
    command.addAll(List.of("--header", "Authorization: Bearer " + key(gateway)));
    command.addAll(List.of("--method", method));
    command.addAll(List.of(more));
    ProcessBuilder process = new ProcessBuilder(command);
    // What it keeps for its user is not this machine's.
    process.environment().put("HOME", alone.toString());
    Said said = Npm.run(process);
    assertThat(said.status()).as(said.text()).isZero();
    return Json.read(said.text().substring(said.text().indexOf('{')));
  }

  private static String url(Gateway gateway) {
    return gateway.api().baseUrl().resolve(gateway.path()).toString();
  }

  private static String key(Gateway gateway) {
    return Objects.requireNonNull(gateway.api().key());
  }
}
