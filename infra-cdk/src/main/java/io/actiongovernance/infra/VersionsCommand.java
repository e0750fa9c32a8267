package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.infra.rollback.LambdaVersions;
import io.actiongovernance.infra.rollback.PreviousVersions;
import io.actiongovernance.infra.rollback.PublishedVersions;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command that {@code infra-cdk/deploy} runs before and after a deployment. With {@code
 * --note}, it notes the live version of each function. Without it, after the deployment has
 * succeeded, the command keeps those versions for {@code infra-cdk/rollback}. Before the first
 * deployment, and on an emulator, it does nothing.
 */
final class VersionsCommand {
  private static final String NOTE = "--note";

  /**
   * The command's surroundings.
   *
   * @param environments the folder of the environments' files
   * @param made the folder of the note
   * @param versions finds the versions of an account and region
   */
  record Surroundings(
      Path environments,
      Path made,
      Function<Place, PublishedVersions> versions,
      Terminal terminal) {}

  private VersionsCommand() {}

  public static void main(String[] arguments) {
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    Path.of("cdk.out"),
                    place -> LambdaVersions.of(place.account(), place.region()),
                    Terminal.standard()))
            .execute(arguments));
  }

  /** The command line over the given surroundings. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec =
        Terminal.command(
                "versions", "Keeps the versions of functions that ran before the last deployment.")
            .addOption(Terminal.environment())
            .addOption(
                OptionSpec.builder(NOTE)
                    .description("Before a deployment: notes which versions are live.")
                    .build());
    return surroundings.terminal().commandLine(spec, parsed -> run(surroundings, parsed));
  }

  private static void run(Surroundings surroundings, ParseResult parsed) {
    String name = parsed.matchedOptionValue("--env", "");
    Environment environment = EnvironmentFile.read(surroundings.environments(), name);
    DeploymentRecord lock = DeploymentRecord.read(surroundings.environments(), name);
    Path note = surroundings.made().resolve(name + ".versions.json");
    boolean noting = parsed.hasMatchedOption(NOTE);
    try {
      if (noting) {
        // Delete the note of an earlier deployment that has failed.
        Files.deleteIfExists(note);
      }
      if (lock == null || environment.emulator() != null || !(noting || Files.exists(note))) {
        return;
      }
      PreviousVersions versions =
          new PreviousVersions(
              surroundings.versions().apply(lock.place()), surroundings.terminal().out()::println);
      String prefix = environment.prefix() + "-";
      if (noting) {
        Files.createDirectories(surroundings.made());
        Files.writeString(note, Json.write(versions.live(prefix)) + "\n");
      } else {
        versions.keep(prefix, noted(Files.readString(note)));
        Files.delete(note);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Map<String, Integer> noted(String text) {
    Map<String, Integer> noted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> each : Json.read(text).properties()) {
      noted.put(each.getKey(), each.getValue().intValue());
    }
    return noted;
  }
}
