package io.actiongovernance.localstack.acceptance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.DataKeys;
import io.actiongovernance.functions.DeriveKeys;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.failure.PointInTime;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.CoreFlow;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;

/**
 * The CDK app, deployed into an emulator that has nothing but what its templates say, is the
 * service: as an environment that keeps its data, with data keys; then with a table of the next
 * generation. Where it is not built it says so and is skipped.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class EmulatedDeploymentSpec {
  private static final TableNames TABLES = TableNames.of("governance-localstack");
  private static final String WEBHOOKS = "/v1/webhook_endpoints";

  /** Within which functions have been started that nobody asked for anything yet. */
  private static final Duration LONGEST = Duration.ofMinutes(3);

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Emulator emulator;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static DeployedService service;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Path project;

  @BeforeAll
  static void start() throws Exception {
    EmulatedDeployment.requireBuilt(EmulatedDeploymentSpec::say);
    emulator = Emulator.start(0, Files.createDirectory(folder.resolve("emulator")));
    project =
        EmulatedProject.make(
            folder.resolve("project"), EmulatedDeploymentSpec::keepsWhatIsGoverned);
    service = deploy(project, "first", Map.of());
  }

  @AfterAll
  static void stop() {
    if (emulator != null) {
      emulator.close();
    }
  }

  private static void keepsWhatIsGoverned(ObjectNode environment) {
    environment.put("keeps_data", true);
  }

  private static DeployedService deploy(Path root, String name, Map<String, String> further)
      throws Exception {
    Map<String, String> settings = new HashMap<>(further);
    settings.put("GOVERNANCE_DATA_KEYS", "seal");
    settings.put(Synthesis.FULL, "true");
    return EmulatedDeployment.of(
        root, emulator, folder.resolve(name), settings, EmulatedDeploymentSpec::say);
  }

  @Test
  @Order(1)
  void theDeployedTemplatesAreTheService() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE);
        Given given = new Given(stack, stack.keys());
        DynamoDbClient dynamo = Aws.client(DynamoDbClient.builder(), emulator.address())) {
      ObjectNode endpoint = Json.object().put("url", "https://127.0.0.1:1/nobody-listens");
      endpoint.putArray("types").add("plan.proposed");
      String hook = given.api().post(WEBHOOKS, endpoint).is(201).path("id").asText();
      CoreFlow.run(given);
      assertThat(purposesOfDataKeys(dynamo)).contains("webhook-secret");
      // Its secret was opened by another function than the one that sealed it.
      Await.until(
          LONGEST,
          () -> given.api().get(WEBHOOKS + "/" + hook + "/deliveries").data(),
          made -> made.stream().anyMatch(one -> !one.path("attempts").isEmpty()));
    }
  }

  private static Set<String> purposesOfDataKeys(DynamoDbClient dynamo) {
    return dynamo.scanPaginator(scan -> scan.tableName(TABLES.of(Table.STATE))).items().stream()
        .filter(row -> Objects.requireNonNull(row.get("pk")).s().endsWith("#" + DataKeys.PART))
        .map(row -> Objects.requireNonNull(row.get("sk")).s())
        .collect(Collectors.toSet());
  }

  @Test
  @Order(2)
  void aBuildIsNotDeployedOverTablesThatItDoesNotRead() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE);
        DynamoDbClient dynamo = Aws.client(DynamoDbClient.builder(), emulator.address());
        LambdaClient lambda = Aws.client(LambdaClient.builder(), emulator.address())) {
      Api api = stack.api(stack.keys().live());
      Map<String, List<String>> before = versions(lambda);
      DynamoStore tables = new DynamoStore(dynamo, TABLES);
      Key form = Key.single(Table.STATE, "stored-form");
      Item read = tables.get(form).orElseThrow();
      Item newer = Item.at(form).with("number", StoredForm.NEWEST + 1L).build();
      tables.write(Write.put(newer, Condition.always()));
      try {
        assertThatExceptionOfType(Deployment.Failed.class)
            .isThrownBy(() -> deploy(project, "newer", Map.of("GOVERNANCE_RESTART", "again")))
            .withMessageContaining("written by a newer build");
        assertThat(versions(lambda)).isEqualTo(before);
        api.get("/v1/plans").is(200);
        assertThat(tables.get(form)).contains(newer);
      } finally {
        tables.write(Write.put(read, Condition.always()));
      }
    }
  }

  /**
   * The templates of a restore. The emulator imports nothing: its next generation comes empty, and
   * is given the rows afterwards.
   */
  @Test
  @Order(3)
  void theNextTableGenerationReplacesTheOldOneWhichIsKept() throws Exception {
    TableNames next = new TableNames(TABLES.prefix(), Map.of(Table.RECEIPTS, 2));
    try (Stack stack = new Stack(service, Stack.HERE);
        Given given = new Given(stack, stack.keys());
        DynamoDbClient dynamo = Aws.client(DynamoDbClient.builder(), emulator.address())) {
      String receipts = "/v1/receipts?limit=100";
      assertThat(given.connector()).isNotEmpty();
      List<String> written = given.api().get(receipts).ids();
      assertThat(written).isNotEmpty();
      deploy(
          EmulatedProject.make(
              folder.resolve("restored"),
              environment -> {
                keepsWhatIsGoverned(environment);
                environment.putObject("tables").putObject("receipts").put("generation", 2);
              }),
          "next",
          Map.of());
      assertThat(given.api().get(receipts).ids()).isEmpty();
      int before = PointInTime.copy(dynamo, Table.RECEIPTS, TABLES, next);
      assertThat(given.api().get(receipts).ids()).containsExactlyElementsOf(written);
      CoreFlow.run(given);
      assertThat(PointInTime.rows(dynamo, Table.RECEIPTS, TABLES)).hasSize(before);
      assertThat(PointInTime.rows(dynamo, Table.RECEIPTS, next)).hasSizeGreaterThan(before);
    }
  }

  /** Of all that read tables: what derives keys comes before them, and reads none. */
  private static Map<String, List<String>> versions(LambdaClient lambda) {
    Map<String, List<String>> versions = new TreeMap<>();
    for (FunctionConfiguration function : lambda.listFunctions().functions()) {
      String name = function.functionName();
      if (name.endsWith("-" + DeriveKeys.FUNCTION)) {
        continue;
      }
      versions.put(
          name,
          lambda.listVersionsByFunction(list -> list.functionName(name)).versions().stream()
              .map(FunctionConfiguration::version)
              .toList());
    }
    return versions;
  }

  private static void say(String line) {
    System.out.println("EmulatedDeploymentSpec: " + line);
  }
}
