package io.actiongovernance.localstack.gov;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What a command finds around it.
 *
 * @param environment the variables
 * @param home the user's folder
 * @param system the operating system's name
 * @param folder where relative paths begin
 * @param terminal whether standard output is a terminal
 * @param input what the user types
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

  /** Those of this process; the script says whether it writes to a terminal, which it knows. */
  static Surroundings ofThisProcess() {
    return new Surroundings(
        System.getenv(),
        usersHome(),
        System.getProperty("os.name", ""),
        Path.of("").toAbsolutePath(),
        Boolean.getBoolean("governance.terminal"),
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
  }

  /** What the user says is theirs counts more than what the system knows of them. */
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

  /** What the user types in one line; empty where there is nobody to type. */
  Optional<String> line() throws IOException {
    return Optional.ofNullable(input.readLine()).map(String::strip);
  }

  /** A file that was named on the command line. */
  Path file(Path named) {
    return folder.resolve(named).normalize();
  }
}
