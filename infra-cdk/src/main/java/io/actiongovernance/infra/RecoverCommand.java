package io.actiongovernance.infra;

import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.infra.restore.LambdaAndTables;
import io.actiongovernance.infra.restore.Recovery;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The command behind {@code infra-cdk/recover}. It lists what was lost with a table that was
 * restored to an earlier second, and repairs it. It exits with 0 once that is done, and with 1 and
 * a sentence otherwise.
 */
final class RecoverCommand {
  /**
   * The command's surroundings.
   *
   * @param environments the folder of the environments' files
   * @param deployed finds the deployment that a recovery works on
   */
  record Surroundings(
      Path environments,
      Function<DeployedEnvironment, Recovery.Deployed> deployed,
      InstantSource clock,
      Terminal terminal) {}

  private RecoverCommand() {}

  public static void main(String[] arguments) {
    Node.require();
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    RecoverCommand::onAws,
                    InstantSource.system(),
                    Terminal.standard()))
            .execute(arguments));
  }

  private static Recovery.Deployed onAws(DeployedEnvironment deployed) {
    Region region = Region.of(deployed.lock().place().region());
    Environment environment = deployed.environment();
    return new LambdaAndTables(
        DynamoDbClient.builder()
            .region(region)
            .httpClient(UrlConnectionHttpClient.create())
            .build(),
        LambdaClient.builder()
            .region(region)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .socketTimeout(Trigger.RECOVER_CLAIMS.binding().timeout().plusSeconds(5)))
            .build(),
        environment.tables(),
        environment.prefix() + "-" + Trigger.RECOVER_CLAIMS.binding().function(),
        Names.ALIAS);
  }

  /** The command line over the given surroundings. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec =
        Terminal.command("recover", "Repairs what was lost with a restored table.")
            .addOption(Terminal.environment())
            .addOption(
                Terminal.required(
                    "--table", "The restored table: effects (claims) or state (actions)."))
            .addOption(
                Terminal.optional(
                    "--since",
                    "For effects: the second it was restored to, such as 2026-11-26T10:00:00Z."))
            .addOption(
                Terminal.optional(
                    "--until",
                    "For effects: when all was stopped (default: now). Later plans stay open."))
            .addOption(Terminal.apply());
    return surroundings.terminal().commandLine(spec, parsed -> recover(surroundings, parsed));
  }

  private static void recover(Surroundings surroundings, ParseResult parsed) {
    String name = parsed.matchedOptionValue("--env", "");
    boolean apply = parsed.hasMatchedOption("--apply");
    Lost lost = lost(parsed, surroundings.clock().instant());
    DeployedEnvironment deployed =
        DeployedEnvironment.read(
            surroundings.environments(),
            name,
            "has lost nothing",
            "Tables on an emulator are never restored.");
    if (deployed.environment().tables().generation(lost.table()) == 1) {
      throw new IllegalArgumentException(
          "%s uses the first generation of %s: nothing was restored, so nothing is lost."
              .formatted(name, lost.table().word()));
    }
    PrintWriter out = surroundings.terminal().out();
    Map<String, Integer> counts =
        lost.madeUpFor()
            .apply(new Recovery(surroundings.deployed().apply(deployed), out::println, apply));
    String all =
        counts.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", "));
    out.println(
        (all.isEmpty() ? "Nothing is lost" : all) + (apply ? "." : "; nothing was changed."));
  }

  /**
   * The loss to repair.
   *
   * @param table the restored table
   * @param madeUpFor repairs the loss, and returns the number of findings of each kind
   */
  private record Lost(Table table, Function<Recovery, Map<String, Integer>> madeUpFor) {}

  private static Lost lost(ParseResult parsed, Instant now) {
    String word = parsed.matchedOptionValue("--table", "");
    if (word.equals(Table.STATE.word())) {
      if (parsed.hasMatchedOption("--since") || parsed.hasMatchedOption("--until")) {
        throw new IllegalArgumentException(
            "The whole table state is searched. Leave --since and --until out.");
      }
      return new Lost(Table.STATE, Recovery::ofActions);
    }
    if (!word.equals(Table.EFFECTS.word())) {
      throw new IllegalArgumentException(
          "--table must be effects or state. Other tables need no repair.");
    }
    Instant since = time("--since", parsed.matchedOptionValue("--since", ""));
    Instant until = time("--until", parsed.matchedOptionValue("--until", now.toString()));
    if (!since.isBefore(until) || until.isAfter(now)) {
      throw new IllegalArgumentException(
          "--since must be before --until, which must not be in the future.");
    }
    return new Lost(Table.EFFECTS, recovery -> recovery.ofClaims(since, until));
  }

  private static Instant time(String option, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException(
          option + " must be a time, such as 2026-11-26T10:00:00Z: " + text, e);
    }
  }
}
