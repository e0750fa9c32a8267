package io.actiongovernance.localstack.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.access.KeyRoutes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Invocation;
import io.actiongovernance.functions.trigger.Source.Messages;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.AdminCalls;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.Walk;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The functions out of the zip that is deployed, each in a process of its own under the runtime
 * that Lambda has for it, over the local stack's services: what a call within one process cannot
 * show are classes that the zip lacks, handlers under another name, and events and answers that do
 * not survive being JSON.
 */
@Isolated // its processes want the processor for themselves
final class DeployedZipSpec {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** One of each kind. */
  private static final Set<String> SOME =
      Set.of(
          PlanRoutes.RETRIEVE_PLAN.operation(),
          PlanRoutes.APPROVE_PLAN.operation(),
          EventRoutes.STREAM_EVENTS.operation(),
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
  void functionsOfEveryKindWorkFromTheZip() throws Exception {
    try (EmbeddedStack stack = stack(SOME::contains)) {
      NewTenant.Created tenant = stack.newTenant(NewTenant.named("walker"));
      String plan;
      try (Walk walk =
          new Walk(new AdminCalls(stack.baseUrl(), Objects.requireNonNull(tenant.keys().live())))) {
        plan = walk.approval();
        walk.streamed();
      }
      String partition = tenant.tenantId() + "#live";
      // One that has died is replaced by the next event.
      functions().restart(functions().image(Trigger.EXPIRE_PLAN.binding().function())).end();
      assertThat(invoke(Trigger.EXPIRE_PLAN, Map.of("partition", partition, "plan_id", plan)))
          .isEqualTo("{\"done\":true}");
      invoke(Trigger.SWEEP, aboutNothing(Trigger.SWEEP.binding()));
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + logged(), e);
    }
    assertThat(functions().called()).containsAll(SOME);
  }

  /** Some eighty starts, with classes that were kept once: each is ready in half the time. */
  @Test
  @EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
  void everyFunctionWorksFromTheZip() throws Exception {
    try (EmbeddedStack stack = stack(_ -> true)) {
      NewTenant.Created tenant = stack.newTenant(NewTenant.named("walker"));
      AdminCalls calls =
          new AdminCalls(stack.baseUrl(), Objects.requireNonNull(tenant.keys().live()));
      functions().startFrom(learned(calls));
      try (Walk walk = new Walk(calls)) {
        walk.walk();
      }
      for (Trigger trigger : Trigger.values()) {
        if (!functions().called().contains(trigger.binding().function())) {
          assertThat(invoke(trigger, aboutNothing(trigger.binding())))
              .as("%s", trigger)
              .doesNotContain("itemIdentifier");
        }
      }
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "\n" + logged(), e);
    }
    Set<String> all = new TreeSet<>(Set.of(DeployedService.UNKNOWN));
    Routes.all().stream().map(Route::operation).forEach(all::add);
    Trigger.bindings().stream().map(Binding::function).forEach(all::add);
    assertThat(functions().called()).isEqualTo(all);
    assertThat(logged()).doesNotContain("\"level\":\"ERROR\"");
  }

  /** What one function keeps, most of which all others need. */
  private AotCache learned(AdminCalls calls) throws Exception {
    AotCache cache = new AotCache(folder.resolve("functions.aot"));
    FunctionProcess process =
        functions().restart(cache.learning(functions().image(KeyRoutes.CREATE_KEY.operation())));
    calls.send("POST", "/v1/keys", "{\"name\":\"learning\",\"role\":\"admin\"}", null);
    process.end();
    assertThat(cache.file()).as(process.log()).exists();
    return cache;
  }

  @Test
  void aMissingClassInTheZipIsFound() throws Exception {
    DeployedZip zip = DeployedZip.unpack(folder.resolve("task"), entry -> !entry.contains("/s3-"));
    FunctionProcess.Image image =
        new FunctionProcess.Image(
            zip,
            PlanRoutes.RETRIEVE_PLAN.operation(),
            Deployed.Api.class.getName(),
            FunctionProcess.RunBy.MANAGED,
            Map.of("GOVERNANCE_MASTER_KEY", "A".repeat(43) + "="));
    try (FunctionProcess process = FunctionProcess.start(image, folder.resolve("lacking.log"))) {
      assertThatThrownBy(process::initialised)
          .isInstanceOf(FunctionFailed.class)
          .hasMessageContaining("software/amazon/awssdk/services/s3/");
    }
  }

  /** An event of the kind that starts the function, about what there is not. */
  private static Map<String, Object> aboutNothing(Binding binding) {
    Map<String, Object> ids =
        Map.of(
            "partition", "t_00000000000000000000000000#live",
            "plan_id", "pl_00000000000000000000000000",
            "action_id", "act_00000000000000000000000000",
            "operator_id", "op_00000000000000000000000000",
            "connector_id", "cn_00000000000000000000000000",
            "line", "nothing",
            "delivery_id", "dlv_00000000000000000000000000",
            "endpoint_id", "whk_00000000000000000000000000");
    Map<String, Object> message = new HashMap<>(ids);
    message.putAll(
        Map.of(
            "type", "plan.proposed",
            "id", "pl_00000000000000000000000000",
            "fact_id", "nothing",
            "shard", 0,
            "at", "2026-11-23T00:00:00.000Z",
            // Of a bucket that has nothing to note yet.
            "Event", "s3:TestEvent"));
    return switch (binding.source()) {
      case Messages _, DeadLetters _ ->
          Map.of("Records", List.of(Map.of("messageId", "1", "body", Json.write(message))));
      case Changes _ -> Map.of("Records", List.of());
      case Every _ -> Map.of("detail-type", "Scheduled Event");
      case Timed _ -> ids;
      case Invocation _ -> Map.of("name", "acme");
    };
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
  private String logged() {
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
