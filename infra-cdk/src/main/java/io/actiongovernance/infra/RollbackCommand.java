package io.actiongovernance.infra;

import io.actiongovernance.infra.rollback.LambdaVersions;
import io.actiongovernance.infra.rollback.PublishedVersions;
import io.actiongovernance.infra.rollback.Rollback;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command behind {@code infra-cdk/rollback}. It makes all functions of an environment run the
 * version from before the last deployment. It exits with 0 once they do, and with 1 and a sentence
 * otherwise.
 */
final class RollbackCommand {
  /**
   * The command's surroundings.
   *
   * @param environments the folder of the environments' files
   * @param versions finds the versions of an account and region
   */
  record Surroundings(
      Path environments,
      Function<Place, PublishedVersions> versions,
      Consumer<Duration> sleeper,
      Terminal terminal) {}

  private RollbackCommand() {}

  public static void main(String[] arguments) {
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    place -> LambdaVersions.of(place.account(), place.region()),
                    RestoreCommand::sleep,
                    Terminal.standard()))
            .execute(arguments));
  }

  /** The command line over the given surroundings. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec =
        Terminal.command("rollback", "Goes back to the versions before the last deployment.")
            .addOption(Terminal.environment())
            .addOption(Terminal.apply());
    return surroundings.terminal().commandLine(spec, parsed -> goBack(surroundings, parsed));
  }

  private static void goBack(Surroundings surroundings, ParseResult parsed) {
    DeployedEnvironment deployed =
        DeployedEnvironment.read(
            surroundings.environments(),
            parsed.matchedOptionValue("--env", ""),
            "has no version to go back to",
            "An emulator keeps no previous version. Deploy the earlier build.");
    new Rollback(
            surroundings.versions().apply(deployed.lock().place()),
            surroundings.sleeper(),
            surroundings.terminal().out()::println,
            parsed.hasMatchedOption("--apply"))
        .run(deployed.environment().prefix() + "-");
  }
}
