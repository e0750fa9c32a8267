package io.actiongovernance.localstack.acceptance.deploy;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.emulator.Emulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Deployments of a build into an emulator of this JVM. */
public final class EmulatedDeployment {
  private static final List<String> BUILT =
      List.of("functions/target/functions-lambda.zip", "infra-cdk/target/app.classpath");

  private EmulatedDeployment() {}

  /** Skips the test, and says so, if what is deployed is not built. */
  public static void requireBuilt(Consumer<String> say) {
    for (String file : BUILT) {
      if (!Files.exists(Stack.PROJECT.resolve(file))) {
        say.accept("skipped: " + file + " is not built; infra-cdk/build builds it.");
        assumeTrue(false, file + " is not built.");
      }
    }
  }

  /**
   * Deploys a build, and says how long it took.
   *
   * @param project the folder in which it is built
   * @param work made if it is not there; what was synthesised in it is used again if its inputs are
   *     the same
   * @param further settings, besides those of every deployment under test
   */
  public static DeployedService of(
      Path project, Emulator emulator, Path work, Map<String, String> further, Consumer<String> say)
      throws Exception {
    long began = System.nanoTime();
    DeployedService service =
        DeployedService.deploy(
            project,
            emulator.address(),
            settings(emulator, further),
            Files.createDirectories(work),
            line -> {});
    say.accept(
        "deployed in %d s".formatted(Duration.ofNanos(System.nanoTime() - began).toSeconds()));
    return service;
  }

  /** The settings of a deployment under test, and further ones. */
  public static Map<String, String> settings(Emulator emulator, Map<String, String> further) {
    Map<String, String> settings = new HashMap<>(Stack.DEPLOYED);
    settings.put("AWS_ENDPOINT_URL_S3", emulator.address().toString());
    settings.putAll(further);
    return settings;
  }
}
