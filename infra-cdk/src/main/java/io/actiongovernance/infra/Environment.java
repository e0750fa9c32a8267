package io.actiongovernance.infra;

import static io.actiongovernance.functions.settings.Memory.SMALL;
import static io.actiongovernance.functions.settings.Memory.WHOLE_PROCESSOR;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.IStackSynthesizer;

/**
 * What differs between deployments, and nothing else does. Chosen by its name: {@code -c env=dev},
 * {@code staging}, {@code prod} or {@code localstack}.
 *
 * @param name part of every name in the deployment, so that an account can hold several
 * @param keepsData whether tables and master key outlive their stack, are protected from deletion,
 *     and (those kept for good) can be restored to any second of the last 35 days
 * @param logDays how long logs are kept, in days that CloudWatch knows
 * @param memory of a function in MB at most; the share of a processor grows with it
 * @param scale how many times the concurrency of each trigger is multiplied
 * @param requestsPerSecond what the API admits in all, before the limits of each tenant
 * @param models the models of Bedrock that operators may propose with: identifiers of models of the
 *     region, or ARNs (of inference profiles, and of the models behind them)
 * @param alarms whether there are alarms, and a topic they are sent to
 * @param firewall whether AWS's managed rules look at each request before it reaches the API
 * @param traced whether requests, functions and state machines are traced by X-Ray
 * @param domain the API's own name; null for the one that API Gateway gives it
 * @param emulator what it runs on, where that is not AWS itself
 * @param settings of the functions, by the names of their environment variables
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
    @Nullable Domain domain,
    @Nullable Emulator emulator,
    Map<String, String> settings) {

  private static final List<String> MODELS =
      List.of("amazon.nova-lite-v1:0", "amazon.nova-pro-v1:0");

  public Environment {
    models = List.copyOf(models);
    if (models.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "models: an identifier or ARN each, with commas: " + models);
    }
    settings = Map.copyOf(settings);
  }

  /** The environment of the name. */
  public static Environment named(String name) {
    return switch (name) {
      case "dev" -> of("dev", false, 7, SMALL.megabytes(), 1, 100, false);
      case "staging" -> of("staging", true, 30, WHOLE_PROCESSOR.megabytes(), 1, 500, true);
      case "prod" -> of("prod", true, 365, WHOLE_PROCESSOR.megabytes(), 10, 5000, true);
      case "localstack" ->
          of("localstack", false, 1, SMALL.megabytes(), 1, 5000, false).on(Emulator.HERE);
      default ->
          throw new IllegalArgumentException(
              "No environment is named "
                  + name
                  + ": choose one with -c env=dev|staging|prod|localstack");
    };
  }

  private static Environment of(
      String name,
      boolean keepsData,
      int logDays,
      int memory,
      int scale,
      int requestsPerSecond,
      boolean watched) {
    return new Environment(
        name,
        keepsData,
        logDays,
        memory,
        scale,
        requestsPerSecond,
        MODELS,
        watched,
        watched,
        watched,
        null,
        null,
        Map.of());
  }

  /** The same under a name of its own, or without one. */
  Environment at(@Nullable Domain domain) {
    return copy(memory, models, domain, emulator, settings);
  }

  /** The same with these models in the place of its own. */
  Environment proposingWith(List<String> models) {
    return copy(memory, models, domain, emulator, settings);
  }

  /** The same on an emulator. */
  Environment on(Emulator emulator) {
    return copy(memory, models, domain, emulator, settings);
  }

  /** The same with these settings of its functions. */
  Environment with(Map<String, String> settings) {
    return copy(memory, models, domain, emulator, settings);
  }

  /** The same with another memory. */
  Environment withMemory(int memory) {
    return copy(memory, models, domain, emulator, settings);
  }

  private Environment copy(
      int memory,
      List<String> models,
      @Nullable Domain domain,
      @Nullable Emulator emulator,
      Map<String, String> settings) {
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
        domain,
        emulator,
        settings);
  }

  /** How a stack's assets are found; null for the CDK's own way, which needs its bootstrap. */
  @Nullable IStackSynthesizer synthesizer() {
    return emulator == null ? null : Emulator.synthesizer();
  }

  /** What the names of tables, queues, functions and the bus begin with. */
  public String prefix() {
    return "governance-" + name;
  }
}
