package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.queue.ActionQueues;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** In which stacks things are, how many are in each, and where what release 1.0 made stays. */
final class LayoutSpec {
  private static final String FUNCTION = "AWS::Lambda::Function";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @ParameterizedTest
  @EnumSource
  void everyStackHasRoomToGrowWithAsManyQueuesOfActionsAsThereMayBe(Layout layout)
      throws IOException {
    ObjectNode file =
        (ObjectNode) Json.read(Files.readString(EnvironmentFile.FOLDER.resolve("prod.json")));
    file.put("queues", ActionQueues.MOST);
    Files.writeString(folder.resolve("most.json"), Json.write(file));
    Environment most = EnvironmentFile.read(folder, "most").with(layout);
    Synthesised.of(most)
        .templates()
        .forEach(
            (stack, template) -> {
              size(most, stack, template).require(most);
              assertThat(template.toString().length()).as(stack).isLessThan(900_000);
            });
  }

  private static StackSize size(Environment environment, String stack, JsonNode template) {
    return new StackSize(
        environment.prefix() + "-" + stack,
        template.path("Resources").size(),
        template.toString().length());
  }

  @Test
  void aStackWithoutRoomToGrowIsRefused() {
    Environment prod = Environment.named("prod");
    new StackSize("governance-prod-routes-work", 300, 1).require(prod);
    assertThatThrownBy(() -> new StackSize("governance-prod-routes-work", 301, 1).require(prod))
        .hasMessage(
            "The stack governance-prod-routes-work has 301 resources, and may have 300: put some of"
                + " what it holds into another.");
    Environment before = prod.with(Layout.OF_1_0);
    new StackSize("governance-prod-routes", 460, 1).require(before);
    assertThatThrownBy(() -> new StackSize("governance-prod-routes", 461, 1).require(before))
        .hasMessageContaining("may have 460");
    assertThatThrownBy(() -> new StackSize("governance-prod-routes-work", 301, 1).require(before))
        .hasMessageContaining("may have 300");
  }

  @Test
  void whoSynthesisesIsToldOfEachStack() {
    assertThat(new StackSize("governance-dev-api", 123, 45_600).line())
        .isEqualTo("Stack governance-dev-api: 123 resources, 46 KB.");
  }

  @ParameterizedTest
  @MethodSource("io.actiongovernance.functions.Routes#all")
  void functionAndMethodOfARouteAreInTheStacksOfItsGroup(Route route) {
    String group = Part.of(route.path()).wire();
    assertThat(names(PROD, "routes-" + group)).contains("governance-prod-" + route.operation());
    assertThat(logical(PROD, "api-" + group)).contains(Names.logical(route.operation()));
  }

  @Test
  void theStackThatDeploysTheApiIsAfterAllOfItsPartsAndHoldsNoRoute() {
    List<String> order = List.copyOf(PROD.templates().keySet());
    assertThat(order)
        .startsWith("data", "keys", "queues", "service")
        .endsWith("api", "awake", "observability", "canary");
    assertThat(logical(PROD, Layout.API))
        .doesNotContainAnyElementsOf(
            Routes.all().stream().map(route -> Names.logical(route.operation())).toList());
  }

  @Test
  void aDeploymentOfRelease10KeepsItsThingsInItsStacks() {
    Synthesised before = Synthesised.of(Synthesised.whole().with(Layout.OF_1_0));
    assertThat(before.templates().keySet())
        .startsWith("data", "keys", "service", "routes")
        .doesNotContain("queues")
        .endsWith("api", "awake", "observability", "canary");
    Set<String> functions =
        Layout.functionsOf10().stream()
            .map(name -> "governance-prod-" + name)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(names(before, "routes")).isEqualTo(functions);
    assertThat(logical(before, Layout.API))
        .containsAll(Routes.all().stream().map(route -> Names.logical(route.operation())).toList())
        .contains("PathV1");
    assertThat(types(before, "service")).contains("AWS::SQS::Queue");
    assertThat(before.all(FUNCTION)).hasSameSizeAs(PROD.all(FUNCTION));
    assertThat(before.all("AWS::ApiGateway::Method"))
        .hasSameSizeAs(PROD.all("AWS::ApiGateway::Method"));
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/plans/{plan_id}/veto,WORK",
    "/v1/operators,OPERATORS",
    "/docs/{page},ACCESS",
    "/v1/me,PEOPLE"
  })
  void aPathIsInTheGroupOfItsCollection(String path, Part part) {
    assertThat(Part.of(path)).isEqualTo(part);
  }

  @Test
  void aCollectionThatNoGroupHasIsRefused() {
    assertThatThrownBy(() -> Part.of("/v1/weather"))
        .hasMessage(
            "No stack is said for what is under /v1/weather: add weather to a group in Part.");
  }

  @Test
  void aLayoutThatThereIsNotIsRefused() {
    assertThat(EnvironmentFile.layout(null)).isEqualTo(Layout.BY_GROUP);
    assertThat(EnvironmentFile.layout("1.0")).isEqualTo(Layout.OF_1_0);
    assertThatThrownBy(() -> EnvironmentFile.layout("0.9"))
        .hasMessageContaining("layout must be \"1.0\"");
  }

  private static JsonNode resources(Synthesised environment, String stack) {
    return requireNonNull(environment.templates().get(stack)).path("Resources");
  }

  private static Set<String> logical(Synthesised environment, String stack) {
    return resources(environment, stack).properties().stream()
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> types(Synthesised environment, String stack) {
    return Synthesised.list(resources(environment, stack)).stream()
        .map(made -> made.path("Type").asText())
        .collect(Collectors.toSet());
  }

  private static Set<String> names(Synthesised environment, String stack) {
    return Synthesised.list(resources(environment, stack)).stream()
        .filter(made -> made.path("Type").asText().equals(FUNCTION))
        .map(made -> made.at("/Properties/FunctionName").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
