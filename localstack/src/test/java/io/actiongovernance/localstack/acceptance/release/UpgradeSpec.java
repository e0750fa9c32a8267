package io.actiongovernance.localstack.acceptance.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.deploy.EmulatedDeployment;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Ledger;
import io.actiongovernance.localstack.acceptance.fixture.Load;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.TableNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;

/**
 * This build is deployed over the last release, or {@code -Dgovernance.upgrade.from=<commit>},
 * while clients use it: every function is published again, no request fails, nothing is lost, and
 * nothing is done twice. If the earlier build stores a form that this one does not read, this one
 * is refused, and the earlier one goes on. What an earlier build cannot do the load leaves alone.
 * With {@code -Dgovernance.upgrade.back=true} the earlier build is deployed over this one again.
 * Where this build is not built it says so and is skipped.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class UpgradeSpec {
  private static final int CLIENTS = 2;

  /** Ninety processes share the machine with as many that are started. */
  private static final Duration PAUSE = Duration.ofSeconds(2);

  private static final Duration BEFORE_AND_AFTER = Duration.ofSeconds(20);

  /** Within which all that was begun ends. */
  private static final Duration REST = Duration.ofMinutes(5);

  @Test
  void anUpgradeUnderLoadFailsLosesAndRepeatsNothing(@TempDir Path folder) throws Exception {
    EmulatedDeployment.requireBuilt(UpgradeSpec::say);
    Path earlier = earlier(folder);
    try (Emulator emulator = Emulator.start(0, Files.createDirectory(folder.resolve("emulator")));
        LambdaClient lambda = Aws.client(LambdaClient.builder(), emulator.address())) {
      DeployedService service = deploy(earlier, emulator, folder.resolve("first"), Map.of());
      try (Stack stack = new Stack(service, Stack.HERE);
          Given given = new Given(stack, stack.keys())) {
        Map<String, String> before = published(lambda);
        Heard heard = new Heard();
        Load load = new Load(given);
        load.slowly(PAUSE, heard);
        SplittableRandom random = new SplittableRandom();
        load.start(CLIENTS, random.split());
        Repeating repeating = Repeating.start(load, given.api(), PAUSE, heard, random.split());
        Await.pause(BEFORE_AND_AFTER);
        say("before: answers by status %s".formatted(heard.statuses()));
        Optional<String> unreadable = unreadable(emulator);
        if (unreadable.isPresent()) {
          Path second = folder.resolve("second");
          assertThatExceptionOfType(Deployment.Failed.class)
              .isThrownBy(() -> upgrade(Stack.PROJECT, service, emulator, second, heard))
              .withMessageContaining(unreadable.get());
          assertThat(published(lambda)).isEqualTo(before);
          say("refused: " + unreadable.get());
        } else {
          upgrade(Stack.PROJECT, service, emulator, folder.resolve("second"), heard);
          everyFunctionIsAnother(before, published(lambda));
        }
        if (unreadable.isEmpty() && Boolean.getBoolean("governance.upgrade.back")) {
          before = published(lambda);
          upgrade(earlier, service, emulator, folder.resolve("back"), heard);
          everyFunctionIsAnother(before, published(lambda));
        }
        repeating.stop();
        load.stop();
        say("after: answers by status %s".formatted(heard.statuses()));
        onlyCurrentVersionsRun(published(lambda), emulator);
        heard.verify();
        say("%d approvals were told to ask again".formatted(load.askAgain(REST)));
        everythingEnds(given, load);
      }
    }
  }

  /** The project that is upgraded from, built: this one, if nothing else is to be had. */
  private static Path earlier(Path folder) throws Exception {
    History history = new History(Stack.PROJECT);
    String named = System.getProperty("governance.upgrade.from");
    switch (named == null ? history.lastRelease() : history.commit(named)) {
      case History.Another(String name, String commit) -> {
        say("building %s, %s".formatted(name, commit));
        Path project = history.at(commit, folder.resolve("earlier"));
        History.build(project);
        return project;
      }
      case History.Same(String why) -> {
        say("%s: this build is deployed over itself.".formatted(why));
        return Stack.PROJECT;
      }
      case History.Missing(String why) -> {
        assertThat(System.getenv("CI")).as(why).isNotEqualTo("true");
        say("%s. This build is deployed over itself.".formatted(why));
        return Stack.PROJECT;
      }
    }
  }

  /** Why this build does not read what is stored, as its functions say it; empty if it does. */
  private static Optional<String> unreadable(Emulator emulator) {
    try (DynamoDbClient dynamo = Aws.client(DynamoDbClient.builder(), emulator.address())) {
      StoredForm.require(new DynamoStore(dynamo, TableNames.of("governance-localstack")));
      return Optional.empty();
    } catch (StoredForm.Unreadable e) {
      return Optional.ofNullable(e.getMessage());
    }
  }

  /** Deploys a build over what runs. */
  private static void upgrade(
      Path project, DeployedService running, Emulator emulator, Path folder, Heard heard)
      throws Exception {
    Map<String, String> further =
        Map.of(
            "GOVERNANCE_RESTART",
            folder.getFileName().toString(),
            "GOVERNANCE_WEBHOOK_RETRY_SECONDS",
            "0,1,2,3");
    DeployedService upgraded = deploy(project, emulator, folder, further);
    say("while it was deployed: answers by status %s".formatted(heard.statuses()));
    assertThat(upgraded.baseUrl()).isEqualTo(running.baseUrl());
    Await.pause(BEFORE_AND_AFTER);
  }

  private static DeployedService deploy(
      Path project, Emulator emulator, Path folder, Map<String, String> further) throws Exception {
    Map<String, String> settings = new HashMap<>(further);
    settings.put(Synthesis.FULL, "true");
    return EmulatedDeployment.of(project, emulator, folder, settings, UpgradeSpec::say);
  }

  /** The version that the alias of each function names, which is the only one there is. */
  private static Map<String, String> published(LambdaClient lambda) {
    Map<String, String> published = new TreeMap<>();
    for (FunctionConfiguration function : lambda.listFunctions().functions()) {
      String name = function.functionName();
      List<String> named =
          lambda.listAliases(list -> list.functionName(name)).aliases().stream()
              .map(alias -> alias.functionVersion())
              .toList();
      assertThat(lambda.listVersionsByFunction(list -> list.functionName(name)).versions())
          .as(name)
          .extracting(FunctionConfiguration::version)
          .isEqualTo(named);
      published.put(name, named.getFirst());
    }
    return published;
  }

  /** Functions that only one of the two builds has come and go. */
  private static void everyFunctionIsAnother(
      Map<String, String> before, Map<String, String> after) {
    Set<String> both = new TreeSet<>(after.keySet());
    both.retainAll(before.keySet());
    assertThat(both).isNotEmpty();
    assertThat(both).allSatisfy(name -> assertThat(after.get(name)).isNotEqualTo(before.get(name)));
    say(
        "%d functions, each with another version; new are %s, gone are %s"
            .formatted(both.size(), without(after, both), without(before, both)));
  }

  private static Set<String> without(Map<String, String> functions, Set<String> others) {
    Set<String> rest = new TreeSet<>(functions.keySet());
    rest.removeAll(others);
    return rest;
  }

  private static void onlyCurrentVersionsRun(Map<String, String> published, Emulator emulator) {
    Set<String> current =
        published.entrySet().stream()
            .map(one -> one.getKey() + ":" + one.getValue())
            .collect(Collectors.toSet());
    Await.until(REST, () -> new TreeSet<>(emulator.runningVersions()), current::containsAll);
  }

  private static void everythingEnds(Given given, Load load) {
    Api api = given.api();
    load.awaitRest(REST);
    for (JsonNode plan : Ledger.all(api, "/v1/plans?status=proposed&waiting_on=approval")) {
      api.postPatiently("/v1/plans/" + plan.path("id").asText() + "/approve", Json.object())
          .is(200);
    }
    load.awaitRest(REST);
    load.requireFreeLocks();
    Ledger ledger = new Ledger(api, given.upstream());
    ledger.verify(load);
    List<String> actions = new ArrayList<>();
    for (JsonNode plan : Ledger.all(api, "/v1/plans?")) {
      assertThat(plan.path("status").asText()).isIn("executed", "vetoed");
      JsonNode whole = api.get("/v1/plans/" + plan.path("id").asText()).is(200);
      whole.path("actions").forEach(action -> actions.add(action.path("id").asText()));
    }
    List<String> receipted =
        Ledger.all(api, "/v1/receipts?").stream()
            .filter(receipt -> receipt.path("kind").asText().equals("action"))
            .map(receipt -> receipt.path("action_id").asText())
            .toList();
    assertThat(receipted).containsExactlyInAnyOrderElementsOf(actions);
    assertThat(ledger.outcomes().keySet()).isSubsetOf("applied", "refused", "vetoed");
    say("%d actions, receipts %s".formatted(actions.size(), ledger.outcomes()));
  }

  private static void say(String line) {
    System.out.println("UpgradeSpec: " + line);
  }
}
