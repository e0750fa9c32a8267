package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;
import software.amazon.awssdk.services.lambda.model.FunctionConfiguration;

/**
 * The CDK app, deployed into an emulator that has nothing but what its templates say, is the
 * service. Where it is not built it says so and is skipped.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class EmulatedDeploymentSpec {
  private static final List<String> DEPLOYED =
      List.of("functions/target/functions-lambda.zip", "infra-cdk/target/app.classpath");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  static Path folder;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static Emulator emulator;

  @SuppressWarnings("NullAway.Init") // set before all tests
  private static DeployedService service;

  @BeforeAll
  static void start() throws Exception {
    requireBuilt(EmulatedDeploymentSpec::say);
    emulator = Emulator.start(0, Files.createDirectory(folder.resolve("emulator")));
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
    return DeployedService.deploy(
        Stack.PROJECT,
        emulator.address(),
        settings,
        Files.createDirectory(folder.resolve(name)),
        EmulatedDeploymentSpec::say);
  }

  @Test
  void whatTheTemplatesSayIsTheService() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE);
        Given given = new Given(stack, stack.keys())) {
      CoreFlow.run(given);
    }
  }

  @Test
  void aBuildIsNotDeployedOverTablesThatItDoesNotRead() throws Exception {
    try (Stack stack = new Stack(service, Stack.HERE);
        DynamoDbClient dynamo = Aws.client(DynamoDbClient.builder(), emulator.address());
        LambdaClient lambda = Aws.client(LambdaClient.builder(), emulator.address())) {
      Api api = stack.api(stack.keys().live());
      Map<String, List<String>> before = versions(lambda);
      DynamoStore tables = new DynamoStore(dynamo, "governance-localstack");
      Key form = Key.single(Table.STATE, "stored-form");
      Item read = tables.get(form).orElseThrow();
      Item newer = Item.at(form).with("number", StoredForm.NEWEST + 1L).build();
      tables.write(Write.put(newer, Condition.always()));
      try {
        assertThatExceptionOfType(Deployment.Failed.class)
            .isThrownBy(() -> deploy("newer", Map.of("GOVERNANCE_RESTART", "again")))
            .withMessageContaining("of a newer build");
        assertThat(versions(lambda)).isEqualTo(before);
        api.get("/v1/plans").is(200);
        assertThat(tables.get(form)).contains(newer);
      } finally {
        tables.write(Write.put(read, Condition.always()));
      }
    }
  }

  private static Map<String, List<String>> versions(LambdaClient lambda) {
    Map<String, List<String>> versions = new TreeMap<>();
    for (FunctionConfiguration function : lambda.listFunctions().functions()) {
      String name = function.functionName();
      versions.put(
          name,
          lambda.listVersionsByFunction(list -> list.functionName(name)).versions().stream()
              .map(FunctionConfiguration::version)
              .toList());
    }
    return versions;
  }

  /** Skips the test, and says so, where what is deployed is not built. */
  static void requireBuilt(Consumer<String> say) {
    for (String file : DEPLOYED) {
      if (!Files.exists(Stack.PROJECT.resolve(file))) {
        say.accept("skipped: " + file + " is not built; infra-cdk/build builds it.");
        assumeTrue(false, file + " is not built.");
      }
    }
  }

  private static void say(String line) {
    System.out.println("EmulatedDeploymentSpec: " + line);
  }
}
