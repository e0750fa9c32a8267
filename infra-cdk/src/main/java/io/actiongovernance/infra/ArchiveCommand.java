package io.actiongovernance.infra;

import io.actiongovernance.infra.restore.DynamoTables;
import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The command behind {@code infra-cdk/archive hold}: turns off time to live where it goes by what
 * says that the archive has a row, so that nothing more leaves a table. What lives for days alone
 * goes on expiring. It ends with 0 once that is so, and with 1 and a sentence otherwise.
 */
final class ArchiveCommand {
  /** The tables whose rows the archive takes. */
  private static final List<Table> ARCHIVED = List.of(Table.STATE, Table.RECEIPTS);

  /**
   * What it works with.
   *
   * @param environments the folder of their files
   * @param tables those of an account and region
   */
  record Surroundings(
      Path environments, Function<Place, TableService> tables, PrintWriter out, PrintWriter err) {}

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
                    new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                    new PrintWriter(System.err, true, StandardCharsets.UTF_8)))
            .execute(arguments));
  }

  /** The command line, for who brings surroundings of their own. */
  static CommandLine commandLine(Surroundings surroundings) {
    ArchiveCommand command = new ArchiveCommand(surroundings);
    CommandSpec hold = CommandSpec.create().name("hold").mixinStandardHelpOptions(false);
    hold.usageMessage().description("Has nothing more leave a table that the archive has.");
    hold.addOption(
        OptionSpec.builder("--env")
            .type(String.class)
            .required(true)
            .description("The environment's name.")
            .build());
    hold.addOption(
        OptionSpec.builder("--apply")
            .description("Does it; without, says what it would do.")
            .build());
    hold.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this help.").build());
    CommandSpec spec = CommandSpec.create().name("archive");
    spec.usageMessage().description("Looks after the archive of a deployment.");
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this help.").build());
    spec.addSubcommand("hold", hold);
    return new CommandLine(spec)
        .setOut(surroundings.out())
        .setErr(surroundings.err())
        .setExecutionStrategy(
            parsed -> {
              Integer help = CommandLine.executeHelpRequest(parsed);
              return help == null ? command.run(spec, parsed) : help;
            });
  }

  private int run(CommandSpec spec, ParseResult parsed) {
    if (!parsed.hasSubcommand()) {
      throw new CommandLine.ParameterException(spec.commandLine(), "Say what to do: hold.");
    }
    try {
      hold(parsed.subcommand());
      return 0;
    } catch (IllegalArgumentException | IllegalStateException e) {
      surroundings.err().println("error: " + e.getMessage());
      return 1;
    }
  }

  private void hold(ParseResult parsed) {
    String name = parsed.matchedOptionValue("--env", "");
    boolean apply = parsed.hasMatchedOption("--apply");
    DeployedEnvironment deployed =
        DeployedEnvironment.read(
            surroundings.environments(),
            name,
            "holds nothing",
            "On an emulator nothing leaves a table for an archive.");
    TableService tables = surroundings.tables().apply(deployed.place());
    for (Table table : ARCHIVED) {
      hold(tables, deployed.environment().tables().of(table), apply);
    }
    surroundings.out().flush();
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
