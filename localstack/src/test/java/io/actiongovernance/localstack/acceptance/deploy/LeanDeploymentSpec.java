package io.actiongovernance.localstack.acceptance.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.CoreFlow;
import io.actiongovernance.localstack.acceptance.fixture.Gateway;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Hook;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.receipt.ExportsSpec;
import io.actiongovernance.localstack.deploy.CodeFolder;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.localstack.emulator.Like;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.fixture.Chromium;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The environment {@code localstack} as it is by default, deployed into an emulator that behaves
 * like LocalStack, is the service; and it is again after a deployment with other settings, and
 * after one with other code. Where it is not built it says so and is skipped.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LeanDeploymentSpec {
  private static final Pattern SCRIPT = Pattern.compile("\"([^\"]*/main\\.js)\"");
  private static final String PAGE = "console/page.html";

  /** Functions are started on the way, on a machine that others keep busy. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Emulator emulator;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Path code;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static DeployedService service;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Stack stack;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Given given;

  @BeforeAll
  static void start() throws Exception {
    EmulatedDeployment.requireBuilt(LeanDeploymentSpec::say);
    String authority = Certificates.writeAuthority(folder).toString();
    emulator =
        Emulator.start(
            0,
            Files.createDirectory(folder.resolve("emulator")),
            Like.LOCALSTACK,
            Map.of("GOVERNANCE_EGRESS_CA", authority));
    code = CodeFolder.unpack(Stack.PROJECT, folder.resolve("code"));
    service = deploy("first", Map.of());
    stack = Stack.trusting(service);
    given = new Given(stack, stack.keys());
  }

  @AfterAll
  static void stop() throws IOException {
    if (given != null) {
      given.close();
      stack.close();
    }
    if (emulator != null) {
      emulator.close();
    }
  }

  private static DeployedService deploy(String name, Map<String, String> further) throws Exception {
    Map<String, String> settings = new HashMap<>(further);
    settings.putIfAbsent(Synthesis.CODE, code.toString());
    return EmulatedDeployment.of(
        Stack.PROJECT, emulator, folder.resolve(name), settings, LeanDeploymentSpec::say);
  }

  @Test
  @Order(1)
  void functionsHaveTheirKeysWithoutCustomResources() throws Exception {
    assertThat(service.baseUrl().getHost()).isEqualTo("localhost");
    service.requireKeys(stack.keys().live());
  }

  @Test
  @Order(2)
  void theGovernedLoopRuns() {
    CoreFlow.run(given);
  }

  @Test
  @Order(3)
  void anAgentCallsOverTheGatewayAndTheReceiptIsDelivered() {
    Hook hook = Hook.at(given.receiver(), given.api(), "receipt.written");
    Gateway gateway =
        Gateway.of(given.apiOfRole("agent"), given.operator(Given.allow(Given.REFUND)));
    JsonNode result =
        gateway.call("pay_refund_create", Json.object().put("charge", "over-the-gateway"));
    assertThat(result.path("isError").asBoolean()).as("%s", result).isFalse();
    assertThat(given.upstream().effects())
        .extracting(Upstream.Seen::path)
        .contains("/refunds/over-the-gateway");
    // Receipts of what ran before the webhook was there may reach it too, by a relay that is late.
    Await.until(
        LONGEST,
        hook::received,
        received -> received.stream().anyMatch(LeanDeploymentSpec::isOverTheGateway));
  }

  private static boolean isOverTheGateway(Receiver.Received received) {
    return received.json().at("/data/entity_key").asText().equals("charge:over-the-gateway");
  }

  @Test
  @Order(4)
  void anExportIsDownloaded() throws Exception {
    JsonNode export =
        ExportsSpec.completed(
            given.api(), given.api().post("/v1/receipts/exports", Json.object()).is(201));
    assertThat(ExportsSpec.jsonLines(export)).isNotEmpty();
  }

  @Test
  @Order(5)
  void theConsolesFilesReachTheBrowserAsText() throws Exception {
    URI page = URI.create(service.baseUrl() + "/console");
    Matcher script = SCRIPT.matcher(text(page));
    assertThat(script.find()).isTrue();
    URI address = page.resolve(Objects.requireNonNull(script.group(1)));
    assertThat(text(address)).contains("import ");
  }

  @Test
  @Order(6)
  void theConsoleShowsAHeldPlanInABrowser() throws Exception {
    Chromium.require();
    Operator operator = given.operator(Given.alert(Given.REFUND));
    operator.propose(operator.refund("in-a-browser", "12.50"));
    JsonNode ticket = given.api().post("/v1/sign_in/tickets", Json.object()).is(201);
    String page =
        Chromium.page(
            URI.create(ticket.path("url").asText()),
            Files.createDirectory(folder.resolve("chromium")),
            Duration.ofSeconds(10));
    assertThat(page).contains("Refund 12.50 of charge in-a-browser").doesNotContain("Loading");
  }

  private static String text(URI address) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(address).header("Accept-Encoding", "gzip").build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(address.toString()).isEqualTo(200);
      return answer.body();
    }
  }

  @Test
  @Order(7)
  void aChangedSettingIsDeployedOverIt() throws Exception {
    given.api().get("/v1/plans").is(200);
    DeployedService again = deploy("second", Map.of("GOVERNANCE_WAIT_SLOTS", "7"));
    assertThat(again.baseUrl()).isEqualTo(service.baseUrl());
    given.api().get("/v1/plans").is(200);
  }

  @Test
  @Order(8)
  void changedCodeIsDeployedOverIt() throws Exception {
    URI page = URI.create(service.baseUrl() + "/console");
    assertThat(text(page)).doesNotContain("changed code");
    deploy("third", Map.of(Synthesis.CODE, changed(folder.resolve("changed")).toString()));
    assertThat(text(page)).contains("changed code");
    given.api().get("/v1/plans").is(200);
  }

  /** Copies the code, and has it answer with another page. */
  private static Path changed(Path copy) throws IOException {
    try (Stream<Path> files = Files.walk(code)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(code.relativize(file)));
      }
    }
    try (Stream<Path> jars = Files.list(copy.resolve("lib"))) {
      Path ours =
          jars.filter(jar -> jar.getFileName().toString().startsWith("functions-"))
              .findFirst()
              .orElseThrow();
      try (FileSystem jar = FileSystems.newFileSystem(ours)) {
        Path page = jar.getPath(PAGE);
        Files.writeString(page, Files.readString(page, UTF_8) + "<!-- changed code -->", UTF_8);
      }
    }
    return copy;
  }

  private static void say(String line) {
    System.out.println("LeanDeploymentSpec: " + line);
  }
}
