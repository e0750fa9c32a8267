package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.fixture.Npm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * The clients that openapi-generator makes of the published contract with its default options: for
 * Java over the JDK's own HTTP client, for Python, and for TypeScript over fetch, which needs no
 * package and is in browsers and Node.js alike. Each has all operations; what the service posts
 * itself is no operation of a client.
 */
@Acceptance
@Isolated // its processes want the processor for themselves
final class ClientSpec {
  private static final Path FLOW = Path.of("src/test/client/SmokeFlow.java").toAbsolutePath();

  private static final Pattern OF_JAVA = Pattern.compile("(?m)^  public [^(]+ (\\w+)\\(");
  private static final Pattern OF_PYTHON = Pattern.compile("(?m)^    def (\\w+)\\(");
  private static final Pattern OF_TYPESCRIPT = Pattern.compile("(?m)^    async (\\w+)\\(");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** {@code src/test/client} tells the whole of it. */
  @Test
  void aClientForJavaGovernsAnActionAndARenamedOperatorKeepsItsGuardrails(Given given)
      throws Exception {
    Api api = given.api();
    Path sources = generated(api).java();
    everyOperationIsIn(sources.resolve("com/example/governance/api"), OF_JAVA, ClientSpec::camel);
    Path classes = generated(api).compile(sources, List.of(FLOW));
    String said =
        GeneratedClient.java(
            Map.of(), classes, "SmokeFlow", api.baseUrl().toString(), String.valueOf(api.key()));
    assertThat(said).matches("rc_[0-9a-z]{26} applied");
  }

  /** It is only compiled: what it imports is not there. */
  @Test
  void aClientForPythonCompiles(Given given) throws Exception {
    Path client = generated(given.api()).make("python").resolve("openapi_client");
    everyOperationIsIn(client.resolve("api"), OF_PYTHON, id -> id.replace('-', '_'));
    GeneratedClient.run("python3", "-m", "compileall", "-q", client.toString());
  }

  @Test
  void aClientForTypeScriptCompiles(Given given) throws Exception {
    String compiler = Npm.file("typescript/bin/tsc").toString();
    Path client = generated(given.api()).make("typescript-fetch");
    everyOperationIsIn(client.resolve("apis"), OF_TYPESCRIPT, ClientSpec::camel);
    GeneratedClient.run(
        "node",
        compiler,
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "esnext",
        "--moduleResolution",
        "bundler",
        client.resolve("index.ts").toString());
  }

  private GeneratedClient generated(Api api) {
    return new GeneratedClient(api, folder);
  }

  /** By the name that the generator gives it. */
  private void everyOperationIsIn(Path sources, Pattern declared, UnaryOperator<String> named)
      throws Exception {
    List<String> found = new ArrayList<>();
    for (Path file : GeneratedClient.files(sources)) {
      declared
          .matcher(Files.readString(file))
          .results()
          .map(one -> one.group(1))
          .forEach(found::add);
    }
    JsonNode document = Json.read(Files.readString(folder.resolve(GeneratedClient.DOCUMENT)));
    List<String> published = new ArrayList<>();
    List<String> posted = new ArrayList<>();
    for (JsonNode path : document.path("paths")) {
      for (JsonNode operation : path) {
        published.add(named.apply(operation.path("operationId").asText()));
        operation
            .path("callbacks")
            .findValuesAsText("operationId")
            .forEach(id -> posted.add(named.apply(id)));
      }
    }
    assertThat(published).isNotEmpty();
    assertThat(found).containsAll(published);
    assertThat(posted).isNotEmpty();
    assertThat(found).doesNotContainAnyElementsOf(posted);
  }

  /** {@code approvePlan} of {@code approve-plan}. */
  private static String camel(String id) {
    return Pattern.compile("-(.)")
        .matcher(id)
        .replaceAll(one -> one.group(1).toUpperCase(Locale.ROOT));
  }
}
