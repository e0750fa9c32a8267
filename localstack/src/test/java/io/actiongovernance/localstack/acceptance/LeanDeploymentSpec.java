package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.localstack.emulator.Like;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * The environment {@code localstack} as it is by default, deployed into an emulator that behaves
 * like LocalStack, is the service; and it is again after a deployment with other settings. Where it
 * is not built it says so and is skipped.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class LeanDeploymentSpec {
  private static final Pattern SCRIPT = Pattern.compile("\"([^\"]*/main\\.js)\"");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Emulator emulator;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static DeployedService service;

  @BeforeAll
  static void start() throws Exception {
    EmulatedDeploymentSpec.requireBuilt(LeanDeploymentSpec::say);
    emulator =
        Emulator.start(0, Files.createDirectory(folder.resolve("emulator")), Like.LOCALSTACK);
    service = deploy("first", Map.of());
  }

  @AfterAll
  static void stop() {
    if (emulator != null) {
      emulator.close();
    }
  }

  private static DeployedService deploy(String name, Map<String, String> further) throws Exception {
    Map<String, String> settings = new HashMap<>(Stack.DEPLOYED);
    settings.put("AWS_ENDPOINT_URL_S3", emulator.address().toString());
    settings.putAll(further);
    long began = System.nanoTime();
    DeployedService deployed =
        DeployedService.deploy(
            Stack.PROJECT,
            emulator.address(),
            settings,
            Files.createDirectory(folder.resolve(name)),
            line -> {});
    say("deployed in %d s".formatted(Duration.ofNanos(System.nanoTime() - began).toSeconds()));
    return deployed;
  }

  @Test
  @Order(1)
  void functionsHaveTheirKeysThoughCustomResourcesAreIgnored() throws Exception {
    assertThat(service.baseUrl().getHost()).isEqualTo("localhost");
    try (Stack stack = new Stack(service, Stack.HERE)) {
      service.requireKeys(stack.keys().live());
    }
  }

  @Test
  @Order(2)
  void theGovernedLoopRuns() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE);
        Given given = new Given(stack, stack.keys())) {
      CoreFlow.run(given);
    }
    say("functions with a process: " + emulator.runningVersions().size());
  }

  @Test
  @Order(3)
  void theConsolesFilesReachTheBrowserAsText() throws Exception {
    URI page = URI.create(service.baseUrl() + "/console");
    Matcher script = SCRIPT.matcher(text(page));
    assertThat(script.find()).isTrue();
    URI address = page.resolve(Objects.requireNonNull(script.group(1)));
    assertThat(text(address)).contains("import ");
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
  @Order(4)
  void aChangedSettingIsDeployedOverIt() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE)) {
      Api api = stack.api(stack.keys().live());
      api.get("/v1/plans").is(200);
      DeployedService again = deploy("second", Map.of("GOVERNANCE_WAIT_SLOTS", "7"));
      assertThat(again.baseUrl()).isEqualTo(service.baseUrl());
      api.get("/v1/plans").is(200);
    }
  }

  private static void say(String line) {
    System.out.println("LeanDeploymentSpec: " + line);
  }
}
