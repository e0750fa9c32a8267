package io.actiongovernance.localstack.gov;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The surroundings of a command.
 *
 * @param home the user's folder
 * @param system the operating system's name
 * @param folder the folder where relative paths begin
 * @param terminal whether standard output is a terminal
 * @param input the user's typed input
 */
public record Surroundings(
    Map<String, String> environment,
    Path home,
    String system,
    Path folder,
    boolean terminal,
    BufferedReader input) {
  public Surroundings {
    environment = Map.copyOf(environment);
  }

  /**
   * Returns the surroundings of this process. The script states whether standard output is a
   * terminal.
   */
  static Surroundings ofThisProcess() {
    return new Surroundings(
        System.getenv(),
        usersHome(),
        System.getProperty("os.name", ""),
        Path.of("").toAbsolutePath(),
        Boolean.getBoolean("governance.terminal"),
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
  }

  /**
   * Returns the user's home folder. The variable {@code HOME} takes precedence over the folder that
   * the system knows.
   */
  private static Path usersHome() {
    String said = System.getenv("HOME");
    return Path.of(said == null || said.isBlank() ? System.getProperty("user.home", "") : said);
  }

  Optional<String> variable(String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isBlank());
  }

  boolean colours() {
    return terminal && environment.get("NO_COLOR") == null;
  }

  /** Returns the line that the user types; empty if the input has ended. */
  Optional<String> line() throws IOException {
    return Optional.ofNullable(input.readLine()).map(String::strip);
  }

  /** Returns the path of a file that the command line names. */
  Path file(Path named) {
    return folder.resolve(named).normalize();
  }
}
