package io.actiongovernance.infra;

import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param firewall whether AWS's managed rules look at each request before it reaches the API
 * @param traced whether requests, functions and state machines are traced by X-Ray
 * @param domain the API's own name; null for the one that API Gateway gives it
 */
public record Environment(
    String name,
    boolean keepsData,
    int logDays,
    int memory,
    int scale,
    int requestsPerSecond,
    List<String> models,
    boolean alarms,
    boolean firewall,
    boolean traced,
    @Nullable Domain domain) {

  private static final List<String> MODELS =
      List.of("amazon.nova-lite-v1:0", "amazon.nova-pro-v1:0");

  public Environment {
    models = List.copyOf(models);
  }

  /** The environment of the name. */
  public static Environment named(String name) {
    return switch (name) {
      case "dev" ->
          new Environment("dev", false, 7, 1024, 1, 100, MODELS, false, false, false, null);
      case "staging" ->
          new Environment("staging", true, 30, 1769, 1, 500, MODELS, true, true, true, null);
      case "prod" ->
          new Environment("prod", true, 365, 1769, 10, 5000, MODELS, true, true, true, null);
      default ->
          throw new IllegalArgumentException(
              "No environment is named " + name + ": choose one with -c env=dev|staging|prod");
    };
  }

  /** The same under a name of its own, or without one. */
  Environment at(@Nullable Domain domain) {
    return new Environment(
        name,
        keepsData,
        logDays,
        memory,
        scale,
        requestsPerSecond,
        models,
        alarms,
        firewall,
        traced,
        domain);
  }

  /** The same with another memory. */
  Environment withMemory(int memory) {
    return new Environment(
        name,
        keepsData,
        logDays,
        memory,
        scale,
        requestsPerSecond,
        models,
        alarms,
        firewall,
        traced,
        domain);
  }

  /** What the names of tables, queues, functions and the bus begin with. */
  public String prefix() {
    return "governance-" + name;
  }
}
