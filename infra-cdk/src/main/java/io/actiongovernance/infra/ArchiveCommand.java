package io.actiongovernance.infra;

import io.actiongovernance.infra.restore.DynamoTables;
import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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
      PrintWriter out,
      PrintWriter err) {}

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
                    new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                    new PrintWriter(System.err, true, StandardCharsets.UTF_8)))
            .execute(arguments));
  }

  /** The command line, for who brings surroundings of their own. */
  static CommandLine commandLine(Surroundings surroundings) {
    ArchiveCommand command = new ArchiveCommand(surroundings);
    CommandSpec spec = CommandSpec.create().name("archive");
    spec.usageMessage().description("Looks after the archive of a deployment.");
    spec.addOption(help());
    spec.addSubcommand(
        READY,
        subcommand(READY, "Tells whether rows that are archived may leave their tables.", false));
    spec.addSubcommand(
        TURN,
        subcommand(
            TURN,
            "Turns off time to live of tables that are to go by what the environment's file says.",
            true));
    spec.addSubcommand(
        HOLD, subcommand(HOLD, "Has nothing more leave a table that the archive has.", true));
    return new CommandLine(spec)
        .setOut(surroundings.out())
        .setErr(surroundings.err())
        .setExecutionStrategy(
            parsed -> {
              Integer help = CommandLine.executeHelpRequest(parsed);
              return help == null ? command.run(spec, parsed) : help;
            });
  }

  private static CommandSpec subcommand(String name, String description, boolean applied) {
    CommandSpec spec = CommandSpec.create().name(name).mixinStandardHelpOptions(false);
    spec.usageMessage().description(description);
    spec.addOption(
        OptionSpec.builder("--env")
            .type(String.class)
            .required(true)
            .description("The environment's name.")
            .build());
    if (applied) {
      spec.addOption(
          OptionSpec.builder("--apply")
              .description("Does it; without, says what it would do.")
              .build());
    }
    spec.addOption(help());
    return spec;
  }

  private static OptionSpec help() {
    return OptionSpec.builder("-h", "--help")
        .usageHelp(true)
        .description("Shows this help.")
        .build();
  }

  private int run(CommandSpec spec, ParseResult parsed) {
    if (!parsed.hasSubcommand()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "Say what to do: ready, turn or hold.");
    }
    ParseResult asked = parsed.subcommand();
    String name = asked.matchedOptionValue("--env", "");
    try {
      switch (asked.commandSpec().name()) {
        case READY -> readiness(deployed(name)).require();
        case TURN -> turn(name, asked.hasMatchedOption("--apply"));
        default -> hold(deployed(name), asked.hasMatchedOption("--apply"));
      }
      return 0;
    } catch (IllegalArgumentException | IllegalStateException e) {
      surroundings.err().println("error: " + e.getMessage());
      return 1;
    } finally {
      surroundings.out().flush();
      surroundings.err().flush();
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
        surroundings.out());
  }

  private void turn(String name, boolean apply) {
    DeployedEnvironment deployed = deployed(name);
    if (deployed.environment().archiveExpires()) {
      readiness(deployed).require();
    }
    new ArchiveTurn(
            deployed, surroundings.tables().apply(deployed.place()), surroundings.out(), apply)
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
      surroundings.out().println("%s: nothing leaves it for the archive.".formatted(table));
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
        .out()
        .println(
            "%s: %s time to live, which went by %s."
                .formatted(
                    table, apply ? "turned off" : "would turn off", Retention.ARCHIVE_EXPIRES));
  }
}
