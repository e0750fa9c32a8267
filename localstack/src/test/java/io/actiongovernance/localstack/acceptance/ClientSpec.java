package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.fixture.Npm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client for Java that openapi-generator makes of the published contract, over the JDK's own HTTP
 * client, is compiled, and governs an action from the event to the receipt ({@code
 * src/test/client}).
 */
@Acceptance
final class ClientSpec {
  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");
  private static final Path FLOW = Path.of("src/test/client/SmokeFlow.java").toAbsolutePath();

  /** The build puts it there. */
  private static final Path GENERATOR = Path.of("target/client/generator.jar").toAbsolutePath();

  /**
   * A list that is left out is not an empty one, as which the generator sends it otherwise: whoever
   * changes an operator's name would empty its guardrails.
   */
  private static final String OPTIONS =
      "containerDefaultToNull=true,openApiNullable=false,useJakartaEe=true,documentationProvider=none";

  private static final String PACKAGE = "com.example.governance";

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @Test
  void aGeneratedClientGovernsAnActionFromTheEventToTheReceipt(Given given) throws Exception {
    Path document = folder.resolve("openapi.json");
    Api api = given.api();
    Files.writeString(document, api.as(null).get("/v1/openapi.json").text());
    generate(document);
    Path classes = compile();
    String said =
        run(
            "java",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classes + File.pathSeparator + classPath(),
            "SmokeFlow",
            api.baseUrl().toString(),
            String.valueOf(api.key()));
    assertThat(said).matches("rc_[0-9a-z]{26} applied");
  }

  private void generate(Path document) throws Exception {
    String names =
        "invokerPackage=%1$s,apiPackage=%1$s.api,modelPackage=%1$s.model".formatted(PACKAGE);
    String said =
        run(
            "java",
            "-XX:TieredStopAtLevel=1",
            "-jar",
            GENERATOR.toString(),
            "generate",
            "-i",
            document.toString(),
            "-g",
            "java",
            "--library",
            "native",
            "-o",
            folder.resolve("client").toString(),
            "--additional-properties",
            OPTIONS + "," + names,
            "--global-property",
            "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false");
    assertThat(said).doesNotContain(" ERROR ");
  }

  private Path compile() throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> command =
        new ArrayList<>(
            List.of("javac", "-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn", "-d"));
    command.addAll(List.of(classes.toString(), "-cp", classPath(), FLOW.toString()));
    try (Stream<Path> files = Files.walk(folder.resolve("client/src/main/java"))) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(command::add);
    }
    run(command.toArray(String[]::new));
    return classes;
  }

  /** What the client needs is among what the tests have: Jackson and the annotations. */
  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private static String run(String... command) throws Exception {
    command[0] = JDK.resolve(command[0]).toString();
    Npm.Said said = Npm.run(new ProcessBuilder(command));
    assertThat(said.status()).as(said.text()).isZero();
    return said.text();
  }
}
