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
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** In which stacks things are, and how many are in each. */
final class LayoutSpec {
  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void everyStackHasRoomToGrowWithTheMostActionQueues() {
    Environment most = largest(ActionQueues.MOST, Environment.MOST_MODELS);
    Synthesised.of(most)
        .templates()
        .forEach(
            (stack, template) -> {
              size(most, stack, template).require();
              assertThat(template.toString().length()).as(stack).isLessThan(900_000);
            });
  }

  /** The last that are all inline, and the most there may be. */
  @ParameterizedTest
  @CsvSource({"8,8", "32,50"})
  void everyPolicyFitsWithTheLongestNamesAndTheMostQueuesAndModels(int queues, int models) {
    assertThat(PolicySize.of(Synthesised.of(largest(queues, models))))
        .isNotEmpty()
        .allSatisfy(size -> assertThat(size.characters()).as(size.of()).isLessThan(size.most()));
  }

  @Test
  void longStatementsAreInManagedPolicies() {
    Synthesised most = Synthesised.of(largest(ActionQueues.MOST, Environment.MOST_MODELS));
    List<String> role =
        most.one("AWS::IAM::Role", "/RoleName/Fn::Join/1/0", PREFIX_OF_MOST + "-execute-action-")
            .property("/ManagedPolicyArns")
            .valueStream()
            .map(policy -> policy.path("Ref").asText())
            .toList();
    List<JsonNode> statements =
        most.all("AWS::IAM::ManagedPolicy").stream()
            .filter(policy -> role.contains(policy.id()))
            .map(policy -> policy.property("/PolicyDocument/Statement/0"))
            .toList();
    assertThat(statements)
        .extracting(statement -> statement.path("Sid").asText())
        .containsExactlyInAnyOrder("SendActions", "Receive");
    assertThat(statements)
        .allSatisfy(statement -> assertThat(statement.path("Resource")).hasSize(ActionQueues.MOST));
    assertThat(PROD.all("AWS::IAM::ManagedPolicy")).isEmpty();
  }

  private static final String PREFIX_OF_MOST = "governance-most-of-it";

  /** Production with the longest names, and tables that were restored as often as they may be. */
  private Environment largest(int queues, int models) {
    try {
      ObjectNode file =
          (ObjectNode) Json.read(Files.readString(EnvironmentFile.FOLDER.resolve("prod.json")));
      file.put("queues", queues);
      file.set(
          "models",
          Json.tree(
              IntStream.range(0, models)
                  .mapToObj(at -> "arn:" + "m".repeat(Environment.LONGEST_MODEL - 6) + (10 + at))
                  .toList()));
      ObjectNode tables = file.putObject("tables");
      for (Table table : Table.values()) {
        tables.putObject(table.word()).put("generation", TableNames.MOST);
      }
      Files.writeString(folder.resolve("most-of-it.json"), Json.write(file));
      return EnvironmentFile.read(folder, "most-of-it").with(Synthesised.whole().settings());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StackSize size(Environment environment, String stack, JsonNode template) {
    return new StackSize(
        environment.prefix() + "-" + stack,
        template.path("Resources").size(),
        template.toString().length());
  }

  @Test
  void aStackWithoutRoomToGrowIsRefused() {
    new StackSize("governance-prod-routes-work", 300, 1).require();
    assertThatThrownBy(() -> new StackSize("governance-prod-routes-work", 301, 1).require())
        .hasMessage(
            "The stack governance-prod-routes-work has 301 resources, but may have at most 300."
                + " Move some of them to another stack.");
  }

  @Test
  void theSizeOfAStackIsPrinted() {
    assertThat(new StackSize("governance-dev-api", 123, 45_600).line())
        .isEqualTo("Stack governance-dev-api: 123 resources, 46 KB.");
  }

  @ParameterizedTest
  @MethodSource("io.actiongovernance.functions.Routes#all")
  void functionAndMethodOfARouteAreInTheStacksOfItsGroup(Route route) {
    Part part = Part.of(route.path());
    assertThat(names(part.functions())).contains("governance-prod-" + route.operation());
    assertThat(logical(part.methods())).contains(Names.logical(route.operation()));
  }

  @Test
  void theApiStackComesAfterItsPartsAndHoldsNoRoute() {
    List<String> order = List.copyOf(PROD.templates().keySet());
    assertThat(order)
        .startsWith("data", "keys", "queues", "service")
        .endsWith("api", "awake", "observability", "canary");
    assertThat(logical(ApiStack.NAME))
        .doesNotContainAnyElementsOf(
            Routes.all().stream().map(route -> Names.logical(route.operation())).toList());
  }

  @ParameterizedTest
  @CsvSource({
    "/v1/plans/{plan_id}/veto,WORK",
    "/v1/operators,OPERATORS",
    "/docs/{page},ACCESS",
    "/v1/me,PEOPLE"
  })
  void aPathBelongsToTheGroupOfItsCollection(String path, Part part) {
    assertThat(Part.of(path)).isEqualTo(part);
  }

  @Test
  void aCollectionWithoutAGroupIsRefused() {
    assertThatThrownBy(() -> Part.of("/v1/weather"))
        .hasMessage(
            "No stack is assigned to the path /v1/weather. Add weather to a group of Part.");
  }

  private static JsonNode resources(String stack) {
    return requireNonNull(PROD.templates().get(stack)).path("Resources");
  }

  private static Set<String> logical(String stack) {
    return resources(stack).properties().stream()
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(String stack) {
    return Synthesised.list(resources(stack)).stream()
        .filter(made -> made.path("Type").asText().equals("AWS::Lambda::Function"))
        .map(made -> made.at("/Properties/FunctionName").asText())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
