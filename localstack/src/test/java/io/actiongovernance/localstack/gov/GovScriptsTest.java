package io.actiongovernance.localstack.gov;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.localstack.Main;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** How {@code localstack/gov} and the old names start: copies of them, with a JVM that says how. */
final class GovScriptsTest {
  private static final String JVM =
      """
      #!/bin/sh
      for argument in "$@"; do
        case $argument in
          -XX:ArchiveClassesAtExit=*) echo laid > "${argument#*=}"; echo laid >> "%s"; exit 0 ;;
        esac
      done
      printf '%%s\\n' "$0" "$@"
      """;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Path target;

  @BeforeEach
  void copyTheScriptsAndBuildNothing() throws IOException {
    Path scripts = Files.createDirectories(folder.resolve("a tree/localstack/scripts"));
    target = Files.createDirectories(scripts.resolveSibling("target"));
    for (String script : List.of("gov", "watch", "tenant", "up", "scripts/common.sh")) {
      Files.copy(Path.of(script), scripts.resolveSibling(script));
    }
    copyHelp();
    Files.writeString(
        target.resolve("stack.classpath"),
        "/m/localstack-1.jar:/m/functions-1.jar:/m/shared-domain-1.jar:/m/lambda-2.jar"
            + ":/m/jackson-core-2.20.1.jar:/m/jackson-core-3.0.3.jar:/m/picocli-4.7.7.jar");
    jdk("25.0.1");
  }

  private void copyHelp() throws IOException {
    Path copies = Files.createDirectories(target.resolveSibling("scripts/help"));
    try (Stream<Path> texts = Files.list(Path.of("scripts/help"))) {
      for (Path text : texts.toList()) {
        Files.copy(text, copies.resolve(text.getFileName()), StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }

  private Path jdk(String version) throws IOException {
    Path home = folder.resolve("jdks/" + version);
    Files.createDirectories(home.resolve("bin"));
    for (String tool : List.of("java", "javac")) {
      Files.createFile(
          home.resolve("bin/" + tool),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }
    Files.writeString(home.resolve("bin/java"), JVM.formatted(target.resolve("laid")));
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\n");
    return home;
  }

  /** Runs a script from another folder, and yields what the JVM was started with. */
  private List<String> run(Path script, String... arguments) throws Exception {
    ProcessBuilder shell = new ProcessBuilder(script.toString());
    shell.command().addAll(List.of(arguments));
    shell.environment().remove("JAVA_HOME");
    shell.environment().put("GOVERNANCE_JDK_FOLDERS", folder.resolve("jdks").toString());
    shell.directory(new File("/"));
    Process process = shell.redirectErrorStream(true).start();
    List<String> output =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).describedAs("%s", output).isZero();
    return output;
  }

  private Path script(String name) {
    return target.resolveSibling(name);
  }

  @Test
  void govRunsFromAnyFolderAndThroughALink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("gov"), script("gov"));
    assertThat(run(link, "plan", "pl 1"))
        .startsWith(folder.resolve("jdks/25.0.1/bin/java").toString())
        .endsWith("io.actiongovernance.localstack.gov.Gov", "plan", "pl 1");
  }

  @Test
  void theOldScriptNamesRunGovCommands() throws Exception {
    for (String name : List.of("watch", "tenant")) {
      assertThat(run(script(name), "--data", "x"))
          .endsWith("io.actiongovernance.localstack.gov.Gov", name, "--data", "x");
    }
  }

  private static CommandLine command(CommandLine parent, String name) {
    return Objects.requireNonNull(parent.getSubcommands().get(name));
  }

  /** {@code -Dhelp=write} writes the texts again. */
  @Test
  void helpNeedsNoBuild() throws Exception {
    CommandLine gov = Gov.commandLine(Ran.surroundings(Map.of(), folder, ""));
    Map<String, CommandLine> commands =
        Map.of(
            "gov", gov,
            "tenant", command(gov, "tenant"),
            "watch", command(gov, "watch"),
            "up", command(Main.commandLine(), "up"));
    Files.delete(target.resolve("stack.classpath"));
    Files.delete(folder.resolve("jdks/25.0.1/release"));
    for (var command : commands.entrySet()) {
      String usage = command.getValue().getUsageMessage(CommandLine.Help.Ansi.OFF);
      if ("write".equals(System.getProperty("help"))) {
        Files.writeString(Path.of("scripts/help", command.getKey() + ".txt"), usage);
      }
      copyHelp();
      assertThat(run(script(command.getKey()), "--help"))
          .as(command.getKey())
          .isEqualTo(usage.lines().toList());
    }
  }

  @Test
  void aPipedRunIsMarkedAsNoTerminal() throws Exception {
    assertThat(run(script("gov"))).contains("-Dgovernance.terminal=false");
  }

  @Test
  void theJarsOfMostCommandsComeFirstInTheClassPath() throws Exception {
    assertThat(run(script("gov")))
        .contains(
            "/m/localstack-1.jar:/m/shared-domain-1.jar:/m/jackson-core-2.20.1.jar"
                + ":/m/picocli-4.7.7.jar:/m/functions-1.jar:/m/lambda-2.jar"
                + ":/m/jackson-core-3.0.3.jar");
  }

  @Test
  void theClassArchiveIsMadeOncePerBuildWithoutLeftovers() throws Exception {
    run(script("gov"));
    run(script("gov"));
    assertThat(Files.readAllLines(target.resolve("laid"))).hasSize(1);
    Files.setLastModifiedTime(
        target.resolve("stack.classpath"), FileTime.from(Instant.now().plusSeconds(10)));
    run(script("gov"));
    assertThat(Files.readAllLines(target.resolve("laid"))).hasSize(2);
    try (var files = Files.list(target)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "stack.classpath", "gov.classpath", "gov.jsa", "gov.jdk", "laid");
    }
  }

  @Test
  void theLastUsedJdkIsUsedWhileItExists() throws Exception {
    run(script("gov"));
    Path older = jdk("25");
    assertThat(run(script("gov")).getFirst()).contains("25.0.1");
    Files.delete(folder.resolve("jdks/25.0.1/bin/javac"));
    assertThat(run(script("gov")).getFirst()).startsWith(older.toString());
  }

  @Test
  void benchHelpListsItsCommandsAndBuildsNothing() throws Exception {
    Process help = new ProcessBuilder("./bench", "--help").redirectErrorStream(true).start();
    String said = new String(help.getInputStream().readAllBytes(), UTF_8);
    assertThat(help.waitFor()).isZero();
    assertThat(said).startsWith("Usage: localstack/bench").contains("requests", "memory");
    Process wrong = new ProcessBuilder("./bench", "--nonsense").redirectErrorStream(true).start();
    said = new String(wrong.getInputStream().readAllBytes(), UTF_8);
    assertThat(wrong.waitFor()).isEqualTo(2);
    assertThat(said).startsWith("error: There is no option --nonsense");
  }
}
