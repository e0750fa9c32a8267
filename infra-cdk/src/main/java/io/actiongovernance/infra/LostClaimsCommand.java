package io.actiongovernance.infra;

import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.infra.restore.LambdaAndTables;
import io.actiongovernance.infra.restore.RecoverClaims;
import io.actiongovernance.store.Table;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The command behind {@code infra-cdk/lost-claims}: lists what claims were lost of, and makes up
 * for them. It ends with 0 once that is done, and with 1 and a sentence otherwise.
 */
final class LostClaimsCommand {
  /**
   * What it works with.
   *
   * @param environments the folder of their files
   * @param deployed what is deployed of an environment in an account and region
   */
  record Surroundings(
      Path environments,
      BiFunction<Environment, Place, RecoverClaims.Deployed> deployed,
      InstantSource clock,
      PrintWriter out,
      PrintWriter err) {}

  private LostClaimsCommand() {}

  public static void main(String[] arguments) {
    Node.require();
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER,
                    LostClaimsCommand::onAws,
                    InstantSource.system(),
                    new PrintWriter(System.out, true, StandardCharsets.UTF_8),
                    new PrintWriter(System.err, true, StandardCharsets.UTF_8)))
            .execute(arguments));
  }

  private static RecoverClaims.Deployed onAws(Environment environment, Place place) {
    Region region = Region.of(place.region());
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
        environment.tables().of(Table.LIMITS),
        environment.prefix() + "-" + Trigger.RECOVER_CLAIMS.binding().function(),
        Names.ALIAS);
  }

  /** The command line, for who brings surroundings of their own. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec = CommandSpec.create().name("lost-claims");
    spec.usageMessage().description("Makes up for claims of idempotency keys that were lost.");
    spec.addOption(option("--env", true, "The environment's name."));
    spec.addOption(
        option("--since", true, "The second effects were restored to: 2026-11-26T10:00:00Z."));
    spec.addOption(
        option("--until", false, "When all was stopped; now, unless said. Later plans stay open."));
    spec.addOption(
        OptionSpec.builder("--apply")
            .description("Does it; without, says what it would do.")
            .build());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this help.").build());
    return new CommandLine(spec)
        .setOut(surroundings.out())
        .setErr(surroundings.err())
        .setExecutionStrategy(
            parsed -> {
              Integer help = CommandLine.executeHelpRequest(parsed);
              return help == null ? run(surroundings, parsed) : help;
            });
  }

  private static OptionSpec option(String name, boolean required, String description) {
    return OptionSpec.builder(name)
        .type(String.class)
        .required(required)
        .description(description)
        .build();
  }

  private static int run(Surroundings surroundings, ParseResult parsed) {
    try {
      recover(surroundings, parsed);
      return 0;
    } catch (RuntimeException e) { // what AWS refuses too is a sentence, not a trace
      surroundings.err().println("error: " + e.getMessage());
      return 1;
    }
  }

  private static void recover(Surroundings surroundings, ParseResult parsed) {
    String name = parsed.matchedOptionValue("--env", "");
    Instant now = surroundings.clock().instant();
    Instant since = time("--since", parsed.matchedOptionValue("--since", ""));
    Instant until = time("--until", parsed.matchedOptionValue("--until", now.toString()));
    if (!since.isBefore(until) || until.isAfter(now)) {
      throw new IllegalArgumentException("--since must be before --until, and that not to come.");
    }
    boolean apply = parsed.hasMatchedOption("--apply");
    Environment environment = EnvironmentFile.read(surroundings.environments(), name);
    Lock lock = Lock.read(surroundings.environments(), name);
    Place place = lock == null || lock.place() == null ? environment.place() : lock.place();
    if (lock == null || place == null) {
      throw new IllegalArgumentException(name + " is not deployed, as its lock would say.");
    }
    if (environment.tables().generation(Table.EFFECTS) == 1) {
      throw new IllegalArgumentException(
          "%s uses the first generation of effects: nothing was restored, so nothing is lost."
              .formatted(name));
    }
    PrintWriter out = surroundings.out();
    Map<String, Integer> counts =
        new RecoverClaims(surroundings.deployed().apply(environment, place), out::println, apply)
            .run(since, until);
    String all =
        counts.entrySet().stream()
            .map(count -> count.getValue() + " " + count.getKey())
            .collect(Collectors.joining(", "));
    out.println((all.isEmpty() ? "Nothing is lost" : all) + (apply ? "." : "; nothing is done."));
    out.flush();
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
