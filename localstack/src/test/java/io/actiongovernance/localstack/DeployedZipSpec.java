package io.actiongovernance.localstack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.runtime.DeployedFunctions;
import io.actiongovernance.localstack.runtime.DeployedService;
import io.actiongovernance.localstack.runtime.DeployedZip;
import io.actiongovernance.localstack.runtime.FunctionFailed;
import io.actiongovernance.localstack.runtime.FunctionProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The functions out of the zip that is deployed, each in a process of its own under the runtime
 * that Lambda has for it, over the local stack's services: what a call within one process cannot
 * show are classes that the zip lacks, handlers under another name, and events and answers that do
 * not survive being JSON.
 */
final class DeployedZipSpec {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** One of each kind. */
  private static final Set<String> SOME =
      Set.of(
          Route.RETRIEVE_PLAN.operation(),
          Route.APPROVE_PLAN.operation(),
          Route.STREAM_EVENTS.operation(),
          Trigger.EXECUTE_ACTION.binding().function(),
          Trigger.RELAY_STATE.binding().function(),
          Trigger.EXPIRE_PLAN.binding().function(),
          Trigger.SWEEP.binding().function(),
          Trigger.CREATE_TENANT.binding().function());

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private @Nullable DeployedFunctions functions;

  @BeforeEach
  void isBuilt() throws IOException {
    assumeTrue(DeployedZip.isBuilt(), "The zip is built by mvn package or verify.");
    Files.createDirectories(folder.resolve("log"));
  }

  @AfterEach
  void stop() {
    if (functions != null) {
      functions.close();
    }
  }

  @Test
  void functionsOfEveryKindDoTheirWork() throws Exception {
    try (EmbeddedStack stack = stack(SOME::contains)) {
      NewTenant.Created tenant = stack.newTenant(NewTenant.named("walker"));
      Walk walk =
          new Walk(new AdminCalls(stack.baseUrl(), Objects.requireNonNull(tenant.keys().live())));
      String plan = walk.approval();
      walk.streamed();
      String partition = tenant.tenantId() + "#live";
      assertThat(invoke(Trigger.EXPIRE_PLAN, Map.of("partition", partition, "plan_id", plan)))
          .isEqualTo("{\"done\":true}");
      invoke(Trigger.SWEEP, Map.of());
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + faults(), e);
    }
    assertThat(functions().called()).containsAll(SOME);
  }

  @Test
  void aZipThatLacksAClassIsFoundOut() throws Exception {
    DeployedZip zip = DeployedZip.unpack(folder.resolve("task"), entry -> !entry.contains("/s3-"));
    FunctionProcess.Image image =
        new FunctionProcess.Image(
            zip,
            Route.RETRIEVE_PLAN.operation(),
            ApiFunction.class.getName(),
            FunctionProcess.RunBy.MANAGED,
            Map.of("GOVERNANCE_MASTER_KEY", "A".repeat(43) + "="));
    try (FunctionProcess process = FunctionProcess.start(image, folder.resolve("lacking.log"))) {
      assertThatThrownBy(process::initialised)
          .isInstanceOf(FunctionFailed.class)
          .hasMessageContaining("software/amazon/awssdk/services/s3/");
    }
  }

  private String invoke(Trigger trigger, Map<String, Object> event) throws InterruptedException {
    byte[] answer =
        functions()
            .invoke(trigger.binding().function(), Json.write(event).getBytes(UTF_8), TIMEOUT);
    return new String(answer, UTF_8);
  }

  private EmbeddedStack stack(Predicate<String> deployed) throws Exception {
    DeployedZip zip = DeployedZip.unpack(folder.resolve("task"), entry -> true);
    Service service = DeployedService.of(wiring -> functions(zip, wiring), deployed);
    return EmbeddedStack.start(
        new EmbeddedStack.Options(folder.resolve("data"), 0, Walk.SETTINGS, service, line -> {}));
  }

  private synchronized DeployedFunctions functions(DeployedZip zip, Wiring wiring) {
    try {
      if (functions == null) {
        functions = new DeployedFunctions(zip, wiring, Walk.SETTINGS, folder.resolve("log"));
      }
      return functions;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DeployedFunctions functions() {
    return Objects.requireNonNull(functions);
  }

  /** What the functions have logged. */
  private String faults() {
    try (Stream<Path> logs = Files.list(folder.resolve("log"))) {
      StringBuilder all = new StringBuilder();
      for (Path log : logs.toList()) {
        all.append('\n').append(log.getFileName()).append('\n').append(Files.readString(log));
      }
      return all.toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
