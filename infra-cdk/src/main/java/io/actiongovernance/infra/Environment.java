package io.actiongovernance.infra;

import java.util.List;

/**
 * What differs between deployments, and nothing else does. Chosen by {@code -c env=dev|staging|
 * prod}.
 *
 * @param name part of every name in the deployment, so that an account can hold several
 * @param keepsData whether tables and master key outlive their stack, are protected from deletion,
 *     and (those kept for good) can be restored to any second of the last 35 days
 * @param logDays how long logs are kept, in days that CloudWatch knows
 * @param memory of each function in MB; the share of a processor grows with it
 * @param scale how many times the concurrency of each trigger is multiplied
 * @param requestsPerSecond what the API admits in all, before the limits of each tenant
 * @param models the models of Bedrock that operators may propose with: identifiers of models of the
 *     region, or ARNs (of inference profiles, and of the models behind them)
 * @param alarms whether there are alarms, and a topic they are sent to
 */
public record Environment(
    String name,
    boolean keepsData,
    int logDays,
    int memory,
    int scale,
    int requestsPerSecond,
    List<String> models,
    boolean alarms) {

  private static final List<String> MODELS =
      List.of("amazon.nova-lite-v1:0", "amazon.nova-pro-v1:0");

  public Environment {
    models = List.copyOf(models);
  }

  /** The environment of the name. */
  public static Environment named(String name) {
    return switch (name) {
      case "dev" -> new Environment("dev", false, 7, 1024, 1, 100, MODELS, false);
      case "staging" -> new Environment("staging", true, 30, 1769, 1, 500, MODELS, true);
      case "prod" -> new Environment("prod", true, 365, 1769, 10, 5000, MODELS, true);
      default ->
          throw new IllegalArgumentException(
              "No environment is named " + name + ": choose one with -c env=dev|staging|prod");
    };
  }

  /** What the names of tables, queues, functions and the bus begin with. */
  public String prefix() {
    return "governance-" + name;
  }
}
