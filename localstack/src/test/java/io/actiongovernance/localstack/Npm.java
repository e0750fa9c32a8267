package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the build installs from npm for the tests: {@code src/test/npm}. */
public final class Npm {
  private static final Path INSTALLED = Path.of("target/npm");

  private Npm() {}

  /**
   * A file of an installed package. Where packages could not be installed, the test is skipped; in
   * continuous integration it fails.
   *
   * @param file below {@code node_modules}
   */
  public static Path file(String file) throws IOException {
    return file(INSTALLED, file);
  }

  /** The same of packages that were installed into this folder. */
  public static Path file(Path installed, String file) throws IOException {
    Path path = installed.resolve("node_modules").resolve(file);
    if (!Files.exists(path)) {
      Path missing = installed.resolve("missing");
      String why = Files.exists(missing) ? Files.readString(missing).strip() : "it was not built";
      assertThat(System.getenv("CI")).as("No %s: %s", file, why).isNotEqualTo("true");
      assumeTrue(false, "No " + file + ": " + why);
    }
    return path.toAbsolutePath();
  }

  /** What a command said, and the status it ended with. */
  public record Said(int status, String text) {}

  /** Runs Node.js. */
  public static Said node(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("node"));
    command.addAll(arguments);
    return run(new ProcessBuilder(command));
  }

  /** Runs a command to its end. */
  public static Said run(ProcessBuilder command) throws IOException, InterruptedException {
    Process process = command.redirectErrorStream(true).start();
    String text =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Said(process.waitFor(), text);
  }
}
