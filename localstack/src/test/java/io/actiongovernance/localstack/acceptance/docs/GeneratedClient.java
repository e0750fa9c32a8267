package io.actiongovernance.localstack.acceptance.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.fixture.Npm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The clients that openapi-generator makes of the contract that the service publishes.
 *
 * @param folder where they and the contract are written
 */
record GeneratedClient(Api api, Path folder) {
  /** The contract, in the folder. */
  static final String DOCUMENT = "openapi.json";

  private static final Path JDK = Path.of(System.getProperty("java.home"), "bin");

  /** The build puts it there. */
  private static final Path GENERATOR = Path.of("target/client/generator.jar").toAbsolutePath();

  /** Nothing of what it makes but names. */
  private static final String PACKAGES =
      "invokerPackage=%1$s,apiPackage=%1$s.api,modelPackage=%1$s.model"
          .formatted("com.example.governance");

  /** The sources of the one for Java, over the JDK's own HTTP client. */
  Path java() throws Exception {
    return make("java", "--library", "native", "--additional-properties", PACKAGES)
        .resolve("src/main/java");
  }

  /** One by this generator. */
  Path make(String language, String... options) throws Exception {
    Path client = folder.resolve(language);
    Path document = folder.resolve(DOCUMENT);
    Files.writeString(document, api.as(null).get("/v1/openapi.json").text());
    List<String> command = new ArrayList<>();
    command.addAll(
        List.of(jdk("java"), "-XX:TieredStopAtLevel=1", "-jar", GENERATOR.toString(), "generate"));
    command.addAll(List.of("-g", language, "-i", document.toString(), "-o", client.toString()));
    command.addAll(
        List.of(
            "--global-property", "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"));
    command.addAll(List.of(options));
    assertThat(run(command.toArray(String[]::new))).doesNotContain(" ERROR ");
    return client;
  }

  /** Compiles the sources of a client with others that use it. */
  Path compile(Path sources, List<Path> others) throws Exception {
    Path classes = Files.createDirectories(folder.resolve("classes"));
    List<String> command =
        new ArrayList<>(
            List.of(jdk("javac"), "-J-XX:TieredStopAtLevel=1", "-proc:none", "-nowarn", "-d"));
    command.addAll(List.of(classes.toString(), "-cp", classPath()));
    others.forEach(file -> command.add(file.toString()));
    files(sources).forEach(file -> command.add(file.toString()));
    run(command.toArray(String[]::new));
    return classes;
  }

  static List<Path> files(Path sources) throws Exception {
    try (Stream<Path> files = Files.walk(sources)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Runs a class, or a source, with these classes before those of the tests. */
  static String java(Map<String, String> environment, Path first, String... arguments)
      throws Exception {
    return run(environment, command(first, arguments));
  }

  /** The command of that. */
  static String[] command(Path first, String... arguments) {
    List<String> command = new ArrayList<>(List.of(jdk("java"), "-XX:TieredStopAtLevel=1", "-cp"));
    command.add(first + File.pathSeparator + classPath());
    command.addAll(List.of(arguments));
    return command.toArray(String[]::new);
  }

  /** What clients need is among what the tests have: Jackson and the annotations. */
  private static String classPath() {
    return System.getProperty("java.class.path");
  }

  private static String jdk(String tool) {
    return JDK.resolve(tool).toString();
  }

  static String run(String... command) throws Exception {
    return run(Map.of(), command);
  }

  /** What the command said; it has to end well. */
  static String run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder process = new ProcessBuilder(command);
    process.environment().putAll(environment);
    Npm.Said said = Npm.run(process);
    assertThat(said.status()).as(said.text()).isZero();
    return said.text();
  }
}
