package io.actiongovernance.localstack.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.emulator.Emulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * The CDK app, deployed into an emulator that has nothing but what its templates say, is the
 * service. Where it is not built it says so and is skipped.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class EmulatedDeploymentSpec {
  private static final List<String> DEPLOYED =
      List.of("functions/target/functions-lambda.zip", "infra-cdk/target/app.classpath");

  @Test
  void whatTheTemplatesSayIsTheService(@TempDir Path folder) throws Exception {
    requireBuilt(EmulatedDeploymentSpec::say);
    try (Emulator emulator = Emulator.start(0, Files.createDirectory(folder.resolve("emulator")))) {
      Map<String, String> settings = new HashMap<>(Stack.DEPLOYED);
      settings.put("AWS_ENDPOINT_URL_S3", emulator.address().toString());
      DeployedService service =
          DeployedService.deploy(
              Stack.PROJECT, emulator.address(), settings, folder, EmulatedDeploymentSpec::say);
      try (Stack stack = new Stack(service, Stack.HERE);
          Given given = new Given(stack, stack.keys())) {
        CoreFlow.run(given);
      }
    }
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
