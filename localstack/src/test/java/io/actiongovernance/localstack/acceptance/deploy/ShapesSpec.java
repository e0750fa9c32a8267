package io.actiongovernance.localstack.acceptance.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.CoreFlow;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.aws.Aws;
import io.actiongovernance.localstack.deploy.CodeFolder;
import io.actiongovernance.localstack.deploy.DeployedService;
import io.actiongovernance.localstack.deploy.Deployment;
import io.actiongovernance.localstack.deploy.Synthesis;
import io.actiongovernance.localstack.emulator.Emulator;
import io.actiongovernance.localstack.emulator.Like;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * Measures both shapes of the environment {@code localstack}, one after the other, in an emulator
 * that behaves like LocalStack. How long a deployment takes is measured and not required: the
 * emulator makes a function in no time, LocalStack in seconds. Where it is not built it says so and
 * is skipped.
 */
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
final class ShapesSpec {
  private static final Map<String, String> OTHER_SETTING = Map.of("GOVERNANCE_WAIT_SLOTS", "7");

  /**
   * A shape, measured.
   *
   * @param deploying without synthesising, as are the others
   * @param redeploying with another setting, until it is done or has failed
   * @param loop the governed loop, in functions that have not run before
   * @param processes that the loop has started, of functions
   * @param megabytes of memory that they have in use after it
   * @param unpacked megabytes of code on disk if each function has the folder that it is given, or
   *     the zip unpacked for it alone
   */
  private record Measured(
      int functions,
      int resources,
      Duration deploying,
      Duration redeploying,
      Duration loop,
      int processes,
      double megabytes,
      double unpacked) {}

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void leanIsAFractionOfFull() throws Exception {
    EmulatedDeployment.requireBuilt(ShapesSpec::say);
    warmUp();
    Measured lean = measured("lean");
    Measured full = measured("full");
    say("        lean  full  ratio");
    row("functions", lean.functions(), full.functions());
    row("resources", lean.resources(), full.resources());
    row("deploy, s", seconds(lean.deploying()), seconds(full.deploying()));
    row("deploy again, s", seconds(lean.redeploying()), seconds(full.redeploying()));
    row("loop, cold, s", seconds(lean.loop()), seconds(full.loop()));
    row("processes", lean.processes(), full.processes());
    row("memory, MB", lean.megabytes(), full.megabytes());
    row("code on disk, MB", lean.unpacked(), full.unpacked());
    assertThat(lean.functions()).isLessThan(full.functions() / 4);
    assertThat(lean.resources()).isLessThan(full.resources() / 2);
    assertThat(lean.processes()).isLessThan(full.processes());
    assertThat(lean.megabytes()).isLessThan(full.megabytes());
    assertThat(lean.unpacked()).isLessThan(full.unpacked() / 100);
  }

  /** Has this JVM deploy once: the first deployment loads the classes of the emulator. */
  private void warmUp() throws Exception {
    Path work = Files.createDirectory(folder.resolve("warm"));
    try (Emulator emulator =
        Emulator.start(0, Files.createDirectory(work.resolve("emulator")), Like.LOCALSTACK)) {
      var unused = deploy(emulator, work.resolve("first"), Map.of());
    }
  }

  private Measured measured(String shape) throws Exception {
    boolean full = shape.equals("full");
    Path work = Files.createDirectory(folder.resolve(shape));
    Path code = CodeFolder.unpack(Stack.PROJECT, work.resolve("code"));
    Map<String, String> settings =
        full ? Map.of(Synthesis.FULL, "true") : Map.of(Synthesis.CODE, code.toString());
    try (Emulator emulator =
            Emulator.start(0, Files.createDirectory(work.resolve("emulator")), Like.LOCALSTACK);
        LambdaClient lambda = Aws.client(LambdaClient.builder(), emulator.address())) {
      Timed first = deploy(emulator, work.resolve("first"), settings);
      Duration loop;
      try (Stack stack = new Stack(first.service(), Stack.HERE);
          Given given = new Given(stack, stack.keys())) {
        long began = System.nanoTime();
        CoreFlow.run(given);
        loop = since(began);
      }
      int functions = lambda.listFunctions().functions().size();
      int processes = emulator.runningVersions().size();
      double megabytes = emulator.residentMegabytes();
      return new Measured(
          functions,
          resources(work.resolve("first")),
          first.took(),
          redeployed(emulator, work.resolve("second"), settings, full),
          loop,
          processes,
          megabytes,
          megabytes(code) * (full ? functions : 1));
    }
  }

  private record Timed(DeployedService service, Duration took) {}

  /** Synthesises first, which takes as long for either shape. */
  private static Timed deploy(Emulator emulator, Path work, Map<String, String> further)
      throws Exception {
    Map<String, String> settings = synthesised(emulator, work, further);
    long began = System.nanoTime();
    DeployedService service =
        DeployedService.deploy(Stack.PROJECT, emulator.address(), settings, work, line -> {});
    return new Timed(service, since(began));
  }

  private static Map<String, String> synthesised(
      Emulator emulator, Path work, Map<String, String> further) throws Exception {
    Map<String, String> settings = EmulatedDeployment.settings(emulator, further);
    var unused =
        Synthesis.synthesise(Stack.PROJECT, emulator.address(), settings, work.resolve("cdk.out"));
    return settings;
  }

  /** With another setting, which fails in full: an alias is never moved. */
  private static Duration redeployed(
      Emulator emulator, Path work, Map<String, String> settings, boolean full) throws Exception {
    Map<String, String> other = new HashMap<>(settings);
    other.putAll(OTHER_SETTING);
    if (!full) {
      return deploy(emulator, work, other).took();
    }
    synthesised(emulator, work, other);
    long began = System.nanoTime();
    assertThatExceptionOfType(Deployment.Failed.class)
        .isThrownBy(() -> deploy(emulator, work, other))
        .withMessageContaining("Alias already exists");
    return since(began);
  }

  private static Duration since(long began) {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1_000.0;
  }

  private static int resources(Path work) throws IOException {
    int resources = 0;
    try (Stream<Path> files = Files.list(work.resolve("cdk.out"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".template.json")).toList()) {
        resources += Json.read(Files.readString(file)).path("Resources").size();
      }
    }
    return resources;
  }

  private static double megabytes(Path code) throws IOException {
    try (Stream<Path> files = Files.walk(code)) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum()
          / 1_000_000.0;
    }
  }

  private static void row(String what, double lean, double full) {
    say("%-17s %8.1f %8.1f  1:%.1f".formatted(what, lean, full, full / lean));
  }

  private static void say(String line) {
    System.out.println("ShapesSpec: " + line);
  }
}
