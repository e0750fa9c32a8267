package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The environment for LocalStack holds what the image knows, as {@code localstack-4.14.0.json} has
 * it from that image's source.
 */
final class LocalStackSpec {
  /** As {@code localstack/up --docker --full} has it. */
  private static final Synthesised LOCALSTACK = Synthesised.of(environment("true"));

  /** As it is by default. */
  private static final Synthesised LEAN = Synthesised.of(environment("false"));

  private static final JsonNode IMAGE = image();

  /** The image counts these as made, and does nothing. */
  private static final String IGNORED = "Custom::";

  /** What the image does not know: people are not looking, and nobody attacks. */
  private static final List<String> ONLY_ON_AWS =
      List.of(
          "AWS::Budgets::Budget",
          "AWS::CodeDeploy::Application",
          "AWS::CodeDeploy::DeploymentGroup",
          "AWS::Logs::MetricFilter",
          "AWS::Scheduler::Schedule",
          "AWS::Scheduler::ScheduleGroup",
          "AWS::CloudWatch::Alarm",
          "AWS::CloudWatch::CompositeAlarm",
          "AWS::CloudWatch::Dashboard",
          "AWS::SecretsManager::ResourcePolicy",
          "AWS::SNS::Topic",
          "AWS::SNS::TopicPolicy",
          "AWS::WAFv2::LoggingConfiguration",
          "AWS::WAFv2::WebACL",
          "AWS::WAFv2::WebACLAssociation");

  private static Environment environment(String full) {
    return GovernanceApp.environment(
        "localstack",
        Synthesised.context(
            Map.of(
                "endpoint", "http://127.0.0.1:8080",
                "full", full,
                "GOVERNANCE_EGRESS_ALLOW", "172.16.0.0/12",
                "GOVERNANCE_OTLP_ENDPOINT", "http://127.0.0.1:4318")));
  }

  /** The resources of both shapes. */
  private static List<JsonNode> resources() {
    return Stream.of(LOCALSTACK, LEAN)
        .flatMap(shape -> shape.templates().values().stream())
        .flatMap(template -> Synthesised.list(template.path("Resources")).stream())
        .toList();
  }

  private static JsonNode image() {
    try (InputStream file = LocalStackSpec.class.getResourceAsStream("/localstack-4.14.0.json")) {
      return Json.read(new String(requireNonNull(file).readAllBytes(), UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theImageKnowsEveryTypeAndPropertyOfTheEnvironment() {
    Map<String, Set<String>> unknown = new TreeMap<>();
    for (JsonNode resource : resources()) {
      String type = resource.path("Type").asText();
      if (type.startsWith(IGNORED)) {
        continue; // theOutputsDescribeTheResourceTheImageIgnores
      }
      JsonNode known = IMAGE.path("types").path(type);
      Set<String> properties = names(known.path("applied"));
      properties.addAll(names(known.path("ignored")));
      resource
          .path("Properties")
          .fieldNames()
          .forEachRemaining(
              property -> {
                if (!properties.contains(property)) {
                  unknown.computeIfAbsent(type, _ -> new TreeSet<>()).add(property);
                }
              });
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void everyListedTypeOfTheImageIsUsed() {
    Set<String> used = new TreeSet<>();
    resources().forEach(resource -> used.add(resource.path("Type").asText()));
    used.removeIf(type -> type.startsWith(IGNORED));
    assertThat(names(IMAGE.path("types"))).isEqualTo(used);
  }

  @Test
  void theOutputsDescribeTheResourceTheImageIgnores() {
    Map<String, JsonNode> ignored = new TreeMap<>();
    for (JsonNode template : LOCALSTACK.templates().values()) {
      for (JsonNode resource : template.path("Resources")) {
        if (resource.path("Type").asText().startsWith(IGNORED)) {
          ignored.put(resource.path("Type").asText(), resource.path("Properties"));
        }
      }
    }
    assertThat(ignored).containsOnlyKeys("Custom::DerivedKeys");
    JsonNode properties = requireNonNull(ignored.get("Custom::DerivedKeys"));
    JsonNode outputs = requireNonNull(LOCALSTACK.templates().get("keys")).path("Outputs");
    assertThat(outputs.at("/DeriveKeysFunction/Value").asText())
        .isEqualTo("governance-localstack-derive-keys:live");
    JsonNode event = Json.read(Synthesised.flat(outputs.at("/DeriveKeysEvent/Value")));
    assertThat(event.path("RequestType").asText()).isEqualTo("Create");
    assertThat(event.at("/ResourceProperties/MasterKey").asText())
        .isEqualTo(Synthesised.flat(properties.path("MasterKey")));
    JsonNode secrets = properties.path("Secrets");
    assertThat(secrets.size()).isEqualTo(Purpose.values().length);
    secrets
        .properties()
        .forEach(
            secret ->
                assertThat(event.at("/ResourceProperties/Secrets/" + secret.getKey()).asText())
                    .isEqualTo(Synthesised.flat(secret.getValue())));
  }

  @Test
  void onAwsOnlyCloudFormationInvokesTheKeyFunction() {
    JsonNode keys = requireNonNull(PROD.templates().get("keys"));
    assertThat(keys.path("Outputs").has("DeriveKeysEvent")).isFalse();
    assertThat(PROD.all("Custom::DerivedKeys")).hasSize(1);
  }

  @Test
  void noEarlierVersionIsKept() {
    assertThat(LOCALSTACK.all("AWS::Lambda::Version"))
        .isNotEmpty()
        .noneMatch(version -> version.body().has("DeletionPolicy"));
  }

  /** LocalStack answers that an alias exists already, where one is to be moved. */
  @Test
  void leanHasNoVersionsAndNoAliases() {
    assertThat(LEAN.all("AWS::Lambda::Version")).isEmpty();
    assertThat(LEAN.all("AWS::Lambda::Alias")).isEmpty();
    assertThat(LEAN.all("AWS::Lambda::Function"))
        .allSatisfy(function -> assertThat(function.text("/SnapStart/ApplyOn")).isEqualTo("None"));
    assertThat(Json.write(Json.tree(LEAN.templates()))).doesNotContain(":live");
  }

  @Test
  void leanHasOneFunctionForAllRoutesAndThoseOfTriggers() {
    Set<String> functions = new TreeSet<>();
    LEAN.all("AWS::Lambda::Function")
        .forEach(function -> functions.add(function.text("/FunctionName")));
    Set<String> wanted = new TreeSet<>();
    for (Trigger trigger : environment("false").triggers()) {
      wanted.add("governance-localstack-" + trigger.binding().function());
    }
    wanted.addAll(List.of("governance-localstack-api", "governance-localstack-derive-keys"));
    assertThat(functions).isEqualTo(wanted);
    assertThat(methods(LEAN)).isEqualTo(methods(LOCALSTACK));
    assertThat(LEAN.all("AWS::ApiGateway::Method"))
        .allSatisfy(
            method ->
                assertThat(Synthesised.flat(method.property("/Integration/Uri")))
                    .endsWith(":function:governance-localstack-api/invocations"));
    System.out.printf(
        "LocalStackSpec: lean %d functions, %d resources; full %d, %d%n",
        functions.size(),
        types(LEAN).properties().stream().mapToInt(type -> type.getValue().asInt()).sum(),
        LOCALSTACK.all("AWS::Lambda::Function").size(),
        types(LOCALSTACK).properties().stream().mapToInt(type -> type.getValue().asInt()).sum());
  }

  private static Set<String> methods(Synthesised shape) {
    Set<String> methods = new TreeSet<>();
    shape.all("AWS::ApiGateway::Method").forEach(method -> methods.add(method.id()));
    return methods;
  }

  @Test
  void theLeanFunctionHasTheRightsOfEveryRoute() {
    JsonNode outputs = requireNonNull(LEAN.templates().get("service")).path("Outputs");
    assertThat(outputs.at("/ListPlansFunction/Value").asText())
        .isEqualTo("governance-localstack-api");
    assertThat(outputs.at("/CreateTenantFunction/Value").asText())
        .isEqualTo("governance-localstack-create-tenant");
    Resource api = LEAN.function("governance-localstack", "api");
    String keys = Synthesised.flat(api.property("/Environment/Variables/GOVERNANCE_KEY_SECRETS"));
    assertThat(keys.split(",")).hasSize(Purpose.values().length);
  }

  private static Set<String> names(JsonNode listOrObject) {
    Set<String> names = new TreeSet<>();
    if (listOrObject.isArray()) {
      listOrObject.forEach(name -> names.add(name.asText()));
    } else {
      listOrObject.fieldNames().forEachRemaining(names::add);
    }
    return names;
  }

  @Test
  void theImageKnowsTheRuntimeAndTakesSnapshotsOfIt() {
    for (Resource function : LOCALSTACK.all("AWS::Lambda::Function")) {
      assertThat(names(IMAGE.path("runtimes"))).contains(function.text("/Runtime"));
      if (!function.text("/SnapStart/ApplyOn").equals("None")) {
        assertThat(names(IMAGE.path("snap_start_runtimes"))).contains(function.text("/Runtime"));
      }
    }
  }

  @Test
  void theBaseUrlIsAPathOnLocalhostSoThatPasskeysWork() {
    String byPath = "http://localhost:8080/_aws/execute-api/\\$\\{[^}]+}/" + ApiStack.STAGE;
    for (Resource function : LOCALSTACK.all("AWS::Lambda::Function")) {
      if (function.text("/FunctionName").endsWith("-derive-keys")) {
        continue; // It answers nobody.
      }
      JsonNode variables = function.property("/Environment/Variables");
      assertThat(Synthesised.flat(variables.path("GOVERNANCE_BASE_URL"))).matches(byPath);
      assertThat(variables.path("GOVERNANCE_EGRESS_ALLOW").asText()).isEqualTo("172.16.0.0/12");
    }
    JsonNode output =
        requireNonNull(LOCALSTACK.templates().get("service")).at("/Outputs/BaseUrl/Value");
    assertThat(Synthesised.flat(output)).matches(byPath);
  }

  @Test
  void theEnvironmentNeedsNoBootstrap() {
    assertThat(LOCALSTACK.templates().values())
        .allSatisfy(
            template -> {
              assertThat(template.has("Parameters")).isFalse();
              assertThat(template.has("Rules")).isFalse();
            });
  }

  @Test
  void theEnvironmentHasEveryRouteExceptTheStream() {
    assertThat(LOCALSTACK.all("AWS::ApiGateway::Method"))
        .noneMatch(method -> method.property("/Integration").has("ResponseTransferMode"));
    List<String> functions =
        LOCALSTACK.all("AWS::Lambda::Function").stream()
            .map(function -> function.text("/FunctionName"))
            .toList();
    for (Route route : Routes.all()) {
      String function = "governance-localstack-" + route.operation();
      if (route.streams()) {
        assertThat(functions).doesNotContain(function);
      } else {
        assertThat(functions).contains(function);
      }
    }
  }

  @Test
  void theEnvironmentDiffersFromProdOnlyAsListed() {
    ObjectNode here = types(LOCALSTACK);
    ObjectNode there = types(PROD);
    // The event stream: a function, its role, its log, and the path and method that lead to it.
    for (String type :
        List.of(
            "AWS::Lambda::Function",
            "AWS::Lambda::Version",
            "AWS::Lambda::Alias",
            "AWS::Lambda::Permission",
            "AWS::IAM::Role",
            "AWS::Logs::LogGroup",
            "AWS::ApiGateway::Resource")) {
      there.put(type, there.path(type).asInt() - 1);
    }
    there.put("AWS::ApiGateway::Method", there.path("AWS::ApiGateway::Method").asInt() - 2);
    there.remove(ONLY_ON_AWS);
    // The firewall's.
    there.put("AWS::Logs::LogGroup", there.path("AWS::Logs::LogGroup").asInt() - 1);
    // Nothing falls asleep there, nothing is rolled out, and no canary flies: each has a role of
    // its
    // own, and the canary a function that is invoked each minute, and its key.
    there.put("AWS::IAM::Role", there.path("AWS::IAM::Role").asInt() - 3);
    for (String type :
        List.of(
            "AWS::Lambda::Function",
            "AWS::Lambda::Version",
            "AWS::Lambda::Alias",
            "AWS::Lambda::Permission",
            "AWS::Logs::LogGroup",
            "AWS::Events::Rule",
            "AWS::SecretsManager::Secret")) {
      there.put(type, there.path(type).asInt() - 1);
    }
    // One queue of actions, with its dead-letter queue, their policies and event sources.
    int fewer = Environment.named("prod").queues() - 1;
    for (String type :
        List.of("AWS::SQS::Queue", "AWS::SQS::QueuePolicy", "AWS::Lambda::EventSourceMapping")) {
      there.put(type, there.path(type).asInt() - 2 * fewer);
    }
    assertThat(here).isEqualTo(there);
  }

  private static ObjectNode types(Synthesised environment) {
    ObjectNode types = Json.object();
    for (JsonNode template : environment.templates().values()) {
      for (JsonNode resource : template.path("Resources")) {
        String type = resource.path("Type").asText();
        types.put(type, types.path(type).asInt() + 1);
      }
    }
    return types;
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1:4566", "http://127.0.0.1", "http://127.0.0.1:4566/x"})
  void anEndpointIsAnAddressWithItsPort(String endpoint) {
    assertThatThrownBy(() -> Emulator.at(URI.create(endpoint)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void leanFunctionsRunCodeFromAMountedFolder() {
    Synthesised mounted = Synthesised.of(mounting("/code/1", Map.of()));
    assertThat(mounted.all("AWS::Lambda::Function"))
        .isNotEmpty()
        .allSatisfy(
            function ->
                assertThat(function.property("/Code"))
                    .isEqualTo(Json.read("{\"S3Bucket\":\"hot-reload\",\"S3Key\":\"/code/1\"}")));
    assertThatThrownBy(() -> mounting("code", Map.of())).hasMessageContaining("absolute path");
    assertThatThrownBy(() -> mounting("/code", Map.of("full", "true")))
        .hasMessageContaining("Leave code out");
  }

  private static Environment mounting(String folder, Map<String, String> further) {
    Map<String, String> context = new TreeMap<>(further);
    context.put("code", folder);
    return GovernanceApp.environment("localstack", Synthesised.context(context));
  }
}
