package io.actiongovernance.infra;

import io.actiongovernance.infra.account.AccountLimits;
import io.actiongovernance.infra.account.ServiceQuotas;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.regions.ServiceMetadata;
import software.amazon.awssdk.services.lambda.LambdaClient;

/**
 * The command that {@code infra-cdk/deploy} runs first. It lists what the account lacks for an
 * environment. It exits with 1 if AWS would refuse the deployment, before anything is created.
 */
final class AccountCommand {
  private static final String LAMBDA = "Lambda";
  private static final String CONCURRENCY = "Concurrent executions";

  /** The concurrency that Lambda always leaves for functions without a reservation. */
  private static final int UNRESERVED = 100;

  /**
   * @param environments the folder of deployment records
   * @param limits finds the limits of an account and region
   */
  record Surroundings(
      Path environments, Function<Place, AccountLimits> limits, Terminal terminal) {}

  /**
   * A quota that is too low.
   *
   * @param value the value to request
   * @param known its entry in Service Quotas, if there is one
   */
  private record Lacking(Quota quota, String has, long value, Optional<ServiceQuotas.Quota> known) {
    String row() {
      return String.format(
          Locale.ROOT,
          "  %-60s %9s %9s  %s",
          quota.service() + ", " + quota.name(),
          has,
          count(value),
          quota.why());
    }

    String request(String region) {
      return known
          .map(
              quota ->
                  """
                    aws service-quotas request-service-quota-increase --region %s --service-code %s \\
                      --quota-code %s --desired-value %s
                  """
                      .formatted(region, quota.service(), quota.code(), value))
          .orElse(
              "  %s, %s: Service Quotas reports nothing. Look in its console, or ask AWS Support.\n"
                  .formatted(quota.service(), quota.name()));
    }
  }

  private AccountCommand() {}

  public static void main(String[] arguments) {
    Node.require();
    System.exit(
        commandLine(
                new Surroundings(
                    EnvironmentFile.FOLDER, AccountCommand::onAws, Terminal.standard()))
            .execute(arguments));
  }

  private static AccountLimits onAws(Place place) {
    SdkHttpClient http = UrlConnectionHttpClient.create();
    Region region = Region.of(place.region());
    return new AccountLimits(
        LambdaClient.builder().region(region).httpClient(http).build(),
        new ServiceQuotas(
            http,
            DefaultCredentialsProvider.builder().build(),
            place.region(),
            URI.create("https://" + ServiceMetadata.of("servicequotas").endpointFor(region))));
  }

  /** The command line over the given surroundings. */
  static CommandLine commandLine(Surroundings surroundings) {
    CommandSpec spec =
        Terminal.command("account", "Lists what the account lacks for an environment.")
            .addOption(Terminal.environment())
            .addOption(
                OptionSpec.builder("-c", "--context")
                    .type(Map.class)
                    .auxiliaryTypes(String.class, String.class)
                    .paramLabel("NAME=VALUE")
                    .description("Context, as the CDK's command line takes it.")
                    .build());
    return surroundings.terminal().commandLine(spec, parsed -> ask(surroundings, parsed));
  }

  private static void ask(Surroundings surroundings, ParseResult parsed) {
    Map<String, Object> context = new TreeMap<>(parsed.matchedOptionValue("-c", Map.of()));
    String name = parsed.matchedOptionValue("--env", "");
    Environment environment =
        GovernanceApp.environment(
            name, new App(AppProps.builder().context(context).build()).getNode());
    environment.requirePlace();
    Place place = environment.place();
    if (place == null) {
      return; // An emulator has no quotas.
    }
    AccountLimits limits = surroundings.limits().apply(place);
    AccountLimits.Concurrency concurrency = limits.concurrency();
    boolean first = DeploymentRecord.read(surroundings.environments(), name) == null;
    // An earlier deployment's reservations already belong to this environment.
    int free = first ? concurrency.unreserved() : concurrency.all();
    long least = leastConcurrency(environment);
    List<Lacking> lacking = new ArrayList<>();
    for (Quota quota : quotas(environment, least, least > free)) {
      (isConcurrency(quota)
              ? concurrency(quota, concurrency, least, free, limits)
              : lacking(quota, limits))
          .ifPresent(lacking::add);
    }
    tell(surroundings.terminal().out(), place, lacking);
    if (least > free) {
      throw new IllegalStateException(
          ("%s reserves %s concurrent executions, but only %s are free in this account, and Lambda"
                  + " would refuse. Nothing was deployed. Make the request above first. Or write"
                  + " \"concurrency\": \"none\", \"streams\": \"none\" and \"awake\": 0 into %s,"
                  + " which reserves nothing and deploys into a small account.")
              .formatted(
                  name, count(least - UNRESERVED), count(free), name + EnvironmentFile.ENDING));
    }
  }

  /**
   * The environment's quotas, and Lambda's concurrency even if the environment's file does not name
   * it.
   */
  private static List<Quota> quotas(Environment environment, long least, boolean refused) {
    List<Quota> quotas = new ArrayList<>(environment.quotas());
    if (refused && quotas.stream().noneMatch(AccountCommand::isConcurrency)) {
      String why =
          "%s are reserved or kept ready, and Lambda leaves %s"
              .formatted(count(least - UNRESERVED), UNRESERVED);
      quotas.add(new Quota(LAMBDA, CONCURRENCY, least, why));
    }
    return quotas;
  }

  private static boolean isConcurrency(Quota quota) {
    return quota.service().equals(LAMBDA) && quota.name().equals(CONCURRENCY);
  }

  private static Optional<Lacking> lacking(Quota quota, AccountLimits limits) {
    Optional<ServiceQuotas.Quota> known = limits.quota(quota.service(), quota.name());
    if (known.isPresent() && known.get().value() >= quota.value()) {
      return Optional.empty();
    }
    String has = known.map(one -> count(Math.round(one.value()))).orElse("unknown");
    return Optional.of(new Lacking(quota, has, quota.value(), known));
  }

  private static Optional<Lacking> concurrency(
      Quota quota,
      AccountLimits.Concurrency concurrency,
      long least,
      int free,
      AccountLimits limits) {
    if (least <= free && concurrency.all() >= quota.value()) {
      return Optional.empty();
    }
    // The reservations of other environments are needed in addition.
    int taken = concurrency.all() - free;
    return Optional.of(
        new Lacking(
            quota,
            count(concurrency.all()),
            Math.max(quota.value(), least + taken),
            limits.quota(LAMBDA, CONCURRENCY)));
  }

  private static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** The least concurrency with which Lambda accepts the deployment; 0 if nothing is reserved. */
  private static long leastConcurrency(Environment environment) {
    int ready = environment.readiness().awake() * EmergencyStop.FUNCTIONS.size();
    int kept = environment.reserved() + ready;
    return kept == 0 ? 0 : kept + UNRESERVED;
  }

  private static void tell(PrintWriter out, Place place, List<Lacking> lacking) {
    if (lacking.isEmpty()) {
      return;
    }
    out.println("The account %s lacks in %s:".formatted(place.account(), place.region()));
    out.println();
    out.println("  %-60s %9s %9s  %s".formatted("quota", "has", "needs", "why"));
    lacking.forEach(one -> out.println(one.row()));
    out.println();
    out.println("The requests to make:");
    out.println();
    lacking.forEach(one -> out.print(one.request(place.region())));
  }
}
