package io.actiongovernance.connector;

import static io.actiongovernance.outcome.Outcomes.done;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.ConnectorProbe.Finding;
import io.actiongovernance.json.Fields;
import io.actiongovernance.json.Json;
import io.actiongovernance.policy.Glob;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The recipes of {@code docs/connectors.md} against what the servers list, as recorded in {@code
 * src/test/resources/mcp}, each file with its source and version.
 */
class RecipesTest {
  private static final Pattern RECIPE =
      Pattern.compile("```json\n(\\{\"listing_id\":\"cn-mcp\".*?)```", Pattern.DOTALL);

  private static final Pattern ARGUMENT = Pattern.compile("\\{\\{args\\.([a-zA-Z_]+)}}");

  /** Tools that only read, of the servers that do not say so of any. */
  private static final Set<String> READ =
      Set.of(
          "search_repositories",
          "get_file_contents",
          "list_commits",
          "list_issues",
          "search_code",
          "search_issues",
          "search_users",
          "get_issue",
          "get_pull_request",
          "list_pull_requests",
          "get_pull_request_files",
          "get_pull_request_status",
          "get_pull_request_comments",
          "get_pull_request_reviews",
          "slack_list_channels",
          "slack_get_channel_history",
          "slack_get_thread_replies",
          "slack_get_users",
          "slack_get_user_profile");

  /** Those whose error comes in the place of their effect, besides those that only read. */
  private static final Set<String> ERR_INSTEAD = Set.of("move_file");

  /** Servers whose every error is the protocol's own, of which {@code did_not_act} says nothing. */
  private static final Set<String> NEVER_IS_ERROR = Set.of("github");

  /** Those with side effects that bind no entity, and why. */
  private static final String UNBOUND =
      """
      github.create_repository | what it makes has no name yet
      slack.saved_clear_completed | touches several
      slack.usergroups_create | what it makes has no name yet
      slack.usergroups_me | its user group may be left out
      db.execute_sql | what it touches is in a text
      """;

  private final ConnectorFixture it = new ConnectorFixture();

  static Stream<ObjectNode> recipes() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "connectors.md"));
    return RECIPE
        .matcher(page.substring(page.indexOf("## Recipes")))
        .results()
        .map(found -> (ObjectNode) Json.read(found.group(1)));
  }

  private static JsonNode recorded(ObjectNode recipe) {
    String file = "/mcp/" + recipe.path("name").asText() + ".json";
    try (InputStream in = Objects.requireNonNull(RecipesTest.class.getResourceAsStream(file))) {
      return Json.read(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(file, e);
    }
  }

  private static List<McpTool> tools(ObjectNode recipe) {
    return recorded(recipe)
        .path("tools")
        .valueStream()
        .map(McpTool::read)
        .flatMap(Optional::stream)
        .toList();
  }

  private Connector installed(ObjectNode recipe) {
    it.finding = new Finding.Passed(Duration.ZERO, tools(recipe));
    Fields body = new Fields(recipe, "", true);
    return done(
        it.installations.install(it.caller(null), it.newId(), ConnectorFixture.wanted(body)));
  }

  private static boolean onlyReads(McpTool listed) {
    return listed.hints("readOnlyHint") || READ.contains(listed.name());
  }

  @Test
  void everyRecordedServerHasARecipe() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources/mcp"))) {
      assertThat(recipes().map(recipe -> recipe.path("name").asText() + ".json"))
          .containsExactlyInAnyOrderElementsOf(
              files.map(file -> file.getFileName().toString()).toList());
    }
  }

  /**
   * A tool that a config names and no server lists is refused: so all that these name are there.
   */
  @ParameterizedTest
  @MethodSource("recipes")
  void aRecipeInstallsEveryToolOfTheDocumentedServer(ObjectNode recipe) throws IOException {
    assertThat(installed(recipe).tools()).hasSameSizeAs(recorded(recipe).path("tools"));
    assertThat(Files.readString(Path.of("..", "docs", "connectors.md")))
        .contains(recorded(recipe).path("version").asText());
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void exactlyTheReadOnlyToolsAreOfTierZero(ObjectNode recipe) {
    Connector connector = installed(recipe);
    for (Tool tool : connector.tools()) {
      McpTool listed = connector.listed(tool).orElseThrow();
      assertThat(tool.tier() == 0).as(tool.name()).isEqualTo(onlyReads(listed));
      assertThat(connector.isRead(tool)).as(tool.name()).isEqualTo(onlyReads(listed));
    }
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void didNotActNamesExactlyTheToolsThatCannotHaveActed(ObjectNode recipe) {
    Connector connector = installed(recipe);
    boolean told = !NEVER_IS_ERROR.contains(recipe.path("name").asText());
    for (Tool tool : connector.tools()) {
      McpTool listed = connector.listed(tool).orElseThrow();
      assertThat(connector.isErrorMeansNothingHappened(tool))
          .as(tool.name())
          .isEqualTo(told && (onlyReads(listed) || ERR_INSTEAD.contains(listed.name())));
    }
    for (JsonNode glob : recipe.at("/config/did_not_act")) {
      assertThat(connector.tools())
          .as(glob.asText())
          .anyMatch(tool -> Glob.parse(glob.asText()).matches(tool.name()));
    }
  }

  /** What is bound and may be left out would be refused for want of it. */
  @ParameterizedTest
  @MethodSource("recipes")
  void anEntityIsMadeOfArgumentsThatTheToolAlwaysTakes(ObjectNode recipe) {
    Connector connector = installed(recipe);
    for (var bound : recipe.at("/config/binds").properties()) {
      Tool tool = connector.tool(bound.getKey()).orElseThrow();
      JsonNode schema = tool.inputSchema().json();
      Set<String> required =
          schema.path("required").valueStream().map(JsonNode::asText).collect(Collectors.toSet());
      ObjectNode args = Json.object();
      for (MatchResult named :
          ARGUMENT.matcher(bound.getValue().path("entity").asText()).results().toList()) {
        String type = schema.at("/properties/" + named.group(1) + "/type").asText();
        assertThat(required).as(tool.name()).contains(named.group(1));
        assertThat(type).as(tool.name()).isIn("string", "number", "integer");
        if (type.equals("string")) {
          args.put(named.group(1), "some");
        } else {
          args.put(named.group(1), 7);
        }
      }
      assertThat(tool.binds().entityOf(args)).as(tool.name()).isPresent();
    }
  }

  @ParameterizedTest
  @MethodSource("recipes")
  void everyUnboundToolWithSideEffectsHasAReason(ObjectNode recipe) {
    Connector connector = installed(recipe);
    Set<String> reasons =
        UNBOUND
            .lines()
            .map(line -> line.substring(0, line.indexOf(' ')))
            .collect(Collectors.toSet());
    for (Tool tool : connector.tools()) {
      if (tool.hasSideEffects()) {
        assertThat(tool.binds().any()).as(tool.name()).isNotEqualTo(reasons.contains(tool.name()));
      }
    }
  }
}
