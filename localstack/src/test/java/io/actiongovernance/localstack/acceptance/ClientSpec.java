package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");
  private static final Path FLOW = Path.of("src/test/client/SmokeFlow.java").toAbsolutePath();

  /** The build puts it there. */
  private static final Path GENERATOR = Path.of("target/client/generator.jar").toAbsolutePath();

  private static final Pattern OF_JAVA = Pattern.compile("(?m)^  public [^(]+ (\\w+)\\(");
  private static final Pattern OF_PYTHON = Pattern.compile("(?m)^    def (\\w+)\\(");
  private static final Pattern OF_TYPESCRIPT = Pattern.compile("(?m)^    async (\\w+)\\(");

  /** Nothing of what it makes but names. */
  private static final String PACKAGES =
      "invokerPackage=%1$s,apiPackage=%1$s.api,modelPackage=%1$s.model"
          .formatted("com.example.governance");

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** {@code src/test/client} tells the whole of it. */
  @Test
  void aClientForJavaGovernsAnActionAndARenamedOperatorKeepsItsGuardrails(Given given)
      throws Exception {
    Api api = given.api();
    Path client = generate(api, "java", "--library", "native", "--additional-properties", PACKAGES);
    Path sources = client.resolve("src/main/java");
    everyOperationIsIn(sources.resolve("com/example/governance/api"), OF_JAVA, ClientSpec::camel);
    Path classes = compile(sources);
    String said =
        run(
            jdk("java"),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes + File.pathSeparator + classPath(),
            "SmokeFlow",
            api.baseUrl().toString(),
            String.valueOf(api.key()));
    assertThat(said).matches("rc_[0-9a-z]{26} applied");
  }

  /** It is only compiled: what it imports is not there. */
  @Test
  void aClientForPythonCompiles(Given given) throws Exception {
    Path client = generate(given.api(), "python").resolve("openapi_client");
    everyOperationIsIn(client.resolve("api"), OF_PYTHON, id -> id.replace('-', '_'));
    run("python3", "-m", "compileall", "-q", client.toString());
  }

  @Test
  void aClientForTypeScriptCompiles(Given given) throws Exception {
    String compiler = Npm.file("typescript/bin/tsc").toString();
    Path client = generate(given.api(), "typescript-fetch");
    everyOperationIsIn(client.resolve("apis"), OF_TYPESCRIPT, ClientSpec::camel);
    run(
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

  private Path generate(Api api, String language, String... options) throws Exception {
    Path client = folder.resolve(language);
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(jdk("java"), "-XX:TieredStopAtLevel=1", "-jar", GENERATOR.toString(), "generate"));
    command.addAll(List.of("-g", language, "-i", document(api).toString()));
    command.addAll(List.of("-o", client.toString()));
    command.addAll(
        List.of(
            "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"));
    command.addAll(List.of(options));
    assertThat(run(command.toArray(String[]::new))).doesNotContain(" ERROR ");
    return client;
  }

  private Path document(Api api) throws Exception {
    Path document = folder.resolve("openapi.json");
    return Files.writeString(document, api.as(null).get("/v1/openapi.json").text());
  }

  /** By the name that the generator gives it. */
  private void everyOperationIsIn(Path sources, Pattern declared, UnaryOperator<String> named)
      throws Exception {
    List<String> found = new ArrayList<>();
    for (Path file : files(sources)) {
      declared
          .matcher(Files.readString(file))
          .results()
          .map(one -> one.group(1))
          .forEach(found::add);
    }
    JsonNode document = Json.read(Files.readString(folder.resolve("openapi.json")));
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

  private Path compile(Path sources) throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> command =
        new ArrayList<>(
            List.of(jdk("javac"), "-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn", "-d"));
    command.addAll(List.of(classes.toString(), "-cp", classPath(), FLOW.toString()));
    files(sources).forEach(file -> command.add(file.toString()));
    run(command.toArray(String[]::new));
    return classes;
  }

  private static List<Path> files(Path sources) throws Exception {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** What the client needs is among what the tests have: Jackson and the annotations. */
  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private static String jdk(String tool) {
    return JDK.resolve(tool).toString();
  }

  private static String run(String... command) throws Exception {
    Npm.Said said = Npm.run(new ProcessBuilder(command));
    assertThat(said.status()).as(said.text()).isZero();
    return said.text();
  }
}
