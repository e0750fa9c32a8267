package io.actiongovernance.infra;

import io.actiongovernance.infra.restore.DynamoExports;
import io.actiongovernance.infra.restore.DynamoTables;
import io.actiongovernance.infra.restore.ExportService;
import io.actiongovernance.infra.restore.FullExport;
import io.actiongovernance.infra.restore.Origin;
import io.actiongovernance.infra.restore.PointInTime;
import io.actiongovernance.infra.restore.RestoreTable;
import io.actiongovernance.infra.restore.Steps;
import io.actiongovernance.infra.restore.TableService;
import io.actiongovernance.infra.restore.WantedTable;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The command behind {@code infra-cdk/restore}. It creates the next generation of a table, from an
 * earlier second of the one in use or from its newest full export. Then it prints how to make a
 * deployment use the new table. It exits with 0 once that is printed, and with 1 and a sentence
 * otherwise.
 */
final class RestoreCommand {
  private static final int SAMPLE = 100_000;
  private static final String AT = "--at";
  private static final String FROM_EXPORT = "--from-export";

  /**
   * The command's surroundings.
   *
   * @param environments the folder of the environments' files
   * @param made the folder that the command writes into
   * @param tables finds the tables of an account and region
   * @param exports finds the exports and imports of an account and region
   */
  record Surroundings(
      Path environments,
      Path made,
      Function<Place, TableService> tables,
      Function<Place, ExportService> exports,
      Consumer<Duration> sleeper,
      Terminal terminal) {}

  private final Surroundings surroundings;

  private RestoreCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  public static void main(String[] arguments) {
    Node.require();
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    Path.of("target/restore"),
                    place -> new DynamoTables(dynamo(place)),
                    place -> new DynamoExports(dynamo(place)),
                    RestoreCommand::sleep,
                    Terminal.standard()))
            .execute(arguments));
  }

  /** A client with the process's own credentials. */
  private static DynamoDbClient dynamo(Place place) {
    return DynamoDbClient.builder()
        .region(Region.of(place.region()))
        .httpClient(UrlConnectionHttpClient.create())
        .build();
  }

  static void sleep(Duration pause) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("The command was interrupted. Run it again.", e);
    }
  }

  /** The command line over the given surroundings. */
  static CommandLine commandLine(Surroundings surroundings) {
    String tables =
        Arrays.stream(Table.values()).map(Table::word).collect(Collectors.joining(", "));
    CommandSpec spec =
        Terminal.command("restore", "Restores a table of a deployment beside the one in use.")
            .addOption(Terminal.environment())
            .addOption(Terminal.required("--table", "One of " + tables + "."))
            .addOption(
                Terminal.optional(
                    AT,
                    "The second to restore, such as 2026-11-26T10:00:00Z. With "
                        + FROM_EXPORT
                        + ", the latest instant that the export may be of; may be left out."))
            .addOption(
                OptionSpec.builder(FROM_EXPORT)
                    .description(
                        "Imports the newest full export from S3. Increments are listed, and not"
                            + " applied.")
                    .build())
            .addOption(Terminal.apply())
            .addOption(
                OptionSpec.builder("--compare")
                    .type(int.class)
                    .paramLabel("ROWS")
                    .defaultValue(Integer.toString(SAMPLE))
                    .description(
                        "How many rows of each table are compared at most: " + SAMPLE + ".")
                    .build());
    return surroundings.terminal().commandLine(spec, new RestoreCommand(surroundings)::restore);
  }

  private void restore(ParseResult parsed) {
    String name = parsed.matchedOptionValue("--env", "");
    Table table = table(parsed.matchedOptionValue("--table", ""));
    Function<Place, Origin> origin = origin(parsed);
    boolean apply = parsed.hasMatchedOption("--apply");
    DeployedEnvironment deployed =
        DeployedEnvironment.read(
            surroundings.environments(),
            name,
            "cannot be restored",
            "Tables on an emulator are never restored.");
    Environment environment = deployed.environment();
    Place place = deployed.lock().place();
    DeploymentRecord lock = deployed.lock();
    String source = environment.tables().of(table);
    if (!lock.tables().contains(source)) {
      throw new IllegalArgumentException(
          "%s has not deployed the table %s. Deploy it first, or set its generation back."
              .formatted(name, source));
    }
    Environment next =
        environment.in(place).with(table, environment.tables().generation(table) + 1);
    RestoredResource resource = RestoredResource.of(next, table, surroundings.made().resolve(name));
    WantedTable wanted = resource.wanted(place);
    new RestoreTable(
            surroundings.tables().apply(place),
            new Steps(surroundings.sleeper(), surroundings.terminal().out()::println, apply))
        .run(
            new RestoreTable.Wanted(
                source, wanted, place.account(), parsed.matchedOptionValue("--compare", SAMPLE)),
            origin.apply(place));
    if (apply) {
      lock.withRestored(wanted.name())
          .write(DeploymentRecord.file(surroundings.environments(), name));
    }
    tellSwitch(next, table, resource);
  }

  private Function<Place, Origin> origin(ParseResult parsed) {
    Instant at = parsed.hasMatchedOption(AT) ? second(parsed.matchedOptionValue(AT, "")) : null;
    if (parsed.hasMatchedOption(FROM_EXPORT)) {
      return place -> new FullExport(surroundings.exports().apply(place), place::tableArn, at);
    }
    if (at == null) {
      throw new ParameterException(
          parsed.commandSpec().commandLine(),
          "The time is missing. Give " + AT + " SECOND, or " + FROM_EXPORT + ".");
    }
    return place -> new PointInTime(surroundings.tables().apply(place), at);
  }

  private static Table table(String word) {
    return Arrays.stream(Table.values())
        .filter(table -> table.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no table named " + word + "."));
  }

  private static Instant second(String text) {
    try {
      Instant at = Instant.parse(text);
      if (at.truncatedTo(ChronoUnit.SECONDS).equals(at)) {
        return at;
      }
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          "--at must be a second, such as 2026-11-26T10:00:00Z: " + text, e);
    }
    throw new IllegalArgumentException(
        "--at must be a second, such as 2026-11-26T10:00:00Z: " + text);
  }

  /**
   * Writes the files for the import, and prints the commands and the change to the environment's
   * file.
   */
  private void tellSwitch(Environment next, Table table, RestoredResource resource) {
    String name = table.word() + "-" + next.tables().generation(table);
    String stack = next.prefix() + "-data";
    Path folder = surroundings.made();
    write(folder.resolve(name + ".json"), resource.resource());
    write(folder.resolve(name + ".import.json"), resource.toImport());
    surroundings
        .terminal()
        .out()
        .print(
            """

            To have the deployment use it, stop everything (docs/stopping.md), import it, and deploy:

              aws cloudformation get-template --stack-name STACK --template-stage Original --query TemplateBody \\
                --output json > FOLDER/NAME.deployed.json
              jq -c --slurpfile made FOLDER/NAME.json '.Resources += $made[0]' FOLDER/NAME.deployed.json \\
                > FOLDER/NAME.template.json
              aws cloudformation create-change-set --stack-name STACK --change-set-name restore-NAME \\
                --change-set-type IMPORT --resources-to-import file://FOLDER/NAME.import.json \\
                --template-body file://FOLDER/NAME.template.json \\
                --parameters ParameterKey=BootstrapVersion,UsePreviousValue=true
              aws cloudformation wait change-set-create-complete --stack-name STACK --change-set-name restore-NAME
              aws cloudformation describe-change-set --stack-name STACK --change-set-name restore-NAME
              aws cloudformation execute-change-set --stack-name STACK --change-set-name restore-NAME
              aws cloudformation wait stack-import-complete --stack-name STACK

            Write into environments/ENV.json: "tables": GENERATIONS
            Then: ./deploy ENV
            """
                .replace("STACK", stack)
                .replace("FOLDER", folder.toString())
                .replace("NAME", name)
                .replace("ENV", next.name())
                .replace("GENERATIONS", generations(next)));
  }

  private static String generations(Environment next) {
    return new TreeMap<Table, Integer>(next.tables().generations())
        .entrySet().stream()
            .map(
                each ->
                    "\"%s\": {\"%s\": %s}"
                        .formatted(each.getKey().word(), TableFields.GENERATION, each.getValue()))
            .collect(Collectors.joining(", ", "{", "}"));
  }

  private static void write(Path file, String text) {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.writeString(file, text + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
