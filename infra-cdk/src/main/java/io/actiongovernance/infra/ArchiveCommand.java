package io.actiongovernance.infra;

import io.actiongovernance.infra.restore.DynamoTables;
import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command behind {@code infra-cdk/archive}. {@code ready} tells whether rows that are archived
 * may leave their tables, {@code turn} has the tables that are archived go by no attribute, so that
 * a deployment can have them go by another, and {@code hold} has nothing more leave a table that
 * the archive has; what lives for days alone goes on expiring. Each ends with 0 once that is so,
 * and with 1 and a sentence otherwise.
 */
final class ArchiveCommand {
  private static final String HOLD = "hold";
  private static final String READY = "ready";
  private static final String TURN = "turn";

  /**
   * What it works with.
   *
   * @param environments the folder of their files
   * @param tables those of an account and region
   * @param archive that of an environment
   */
  record Surroundings(
      Path environments,
      Function<Place, TableService> tables,
      Function<DeployedEnvironment, DeployedArchive> archive,
      Terminal terminal) {}

  private final Surroundings surroundings;

  private ArchiveCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  public static void main(String[] arguments) {
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    place -> DynamoTables.of(place.region()),
                    DeployedArchive::of,
                    Terminal.standard()))
            .execute(arguments));
  }

  /** The command line, for who brings surroundings of their own. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec = Terminal.command("archive", "Looks after the archive of a deployment.");
    spec.addSubcommand(
        READY,
        Terminal.command(READY, "Tells whether rows that are archived may leave their tables.")
            .addOption(Terminal.environment()));
    spec.addSubcommand(
        TURN,
        Terminal.command(
                TURN,
                "Turns off time to live of tables that are to go by what the environment's file says.")
            .addOption(Terminal.environment())
            .addOption(Terminal.apply()));
    spec.addSubcommand(
        HOLD,
        Terminal.command(HOLD, "Has nothing more leave a table that the archive has.")
            .addOption(Terminal.environment())
            .addOption(Terminal.apply()));
    return surroundings.terminal().commandLine(spec, new ArchiveCommand(surroundings)::run);
  }

  private void run(ParseResult parsed) {
    if (!parsed.hasSubcommand()) {
      throw new CommandLine.ParameterException(
          parsed.commandSpec().commandLine(), "Say what to do: ready, turn or hold.");
    }
    ParseResult asked = parsed.subcommand();
    String name = asked.matchedOptionValue("--env", "");
    switch (asked.commandSpec().name()) {
      case READY -> readiness(deployed(name)).require();
      case TURN -> turn(name, asked.hasMatchedOption("--apply"));
      default -> hold(deployed(name), asked.hasMatchedOption("--apply"));
    }
  }

  private DeployedEnvironment deployed(String name) {
    return DeployedEnvironment.read(
        surroundings.environments(),
        name,
        "holds nothing",
        "On an emulator nothing leaves a table for an archive.");
  }

  private ArchiveReadiness readiness(DeployedEnvironment deployed) {
    return new ArchiveReadiness(
        deployed,
        surroundings.tables().apply(deployed.place()),
        surroundings.archive(),
        surroundings.terminal().out());
  }

  private void turn(String name, boolean apply) {
    DeployedEnvironment deployed = deployed(name);
    if (deployed.environment().archiveExpires()) {
      readiness(deployed).require();
    }
    new ArchiveTurn(
            deployed,
            surroundings.tables().apply(deployed.place()),
            surroundings.terminal().out(),
            apply)
        .turn(Lock.file(surroundings.environments(), name));
  }

  private void hold(DeployedEnvironment deployed, boolean apply) {
    TableService tables = surroundings.tables().apply(deployed.place());
    List<String> failed = new ArrayList<>();
    for (Table table : Environment.ARCHIVED) {
      // What keeps one from being held keeps no other.
      try {
        hold(tables, deployed.environment().tables().of(table), apply);
      } catch (IllegalStateException e) {
        failed.add(e.getMessage());
      }
    }
    if (!failed.isEmpty()) {
      throw new IllegalStateException(String.join(" ", failed));
    }
  }

  private void hold(TableService tables, String table, boolean apply) {
    if (tables.find(table).isEmpty()) {
      throw new IllegalStateException("There is no table " + table + ".");
    }
    Optional<String> attribute = tables.expiry(table);
    if (!attribute.equals(Optional.of(Retention.ARCHIVE_EXPIRES))) {
      surroundings
          .terminal()
          .out()
          .println("%s: nothing leaves it for the archive.".formatted(table));
      return;
    }
    if (apply) {
      if (tables.isExpiryChanging(table)) {
        throw new IllegalStateException(
            "%s: time to live was turned on less than an hour ago, and DynamoDB turns nothing off until then: try again."
                .formatted(table));
      }
      tables.expireNothing(table, Retention.ARCHIVE_EXPIRES);
    }
    surroundings
        .terminal()
        .out()
        .println(
            "%s: %s time to live, which went by %s."
                .formatted(
                    table, apply ? "turned off" : "would turn off", Retention.ARCHIVE_EXPIRES));
  }
}
