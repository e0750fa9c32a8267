package io.actiongovernance.infra;

import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.IStackSynthesizer;

/**
 * What differs between deployments, and nothing else does. Each is a file in {@code environments/},
 * chosen by its name: {@code -c env=dev}.
 *
 * @param name part of every name in the deployment, so that an account can hold several
 * @param keepsData whether tables and master key outlive their stack, are protected from deletion,
 *     and (those kept for good) can be restored to any second of the last 35 days
 * @param logDays how long logs are kept, in days that CloudWatch knows
 * @param memory of a function in MB at most; the share of a processor grows with it
 * @param concurrency how many invocations of a function that messages start run at once
 * @param queues how many FIFO queues share the actions, each with an event source of its own
 * @param requestsPerSecond what the API admits in all, before the limits of each tenant
 * @param models the models of Bedrock that operators may propose with: identifiers of models of the
 *     region, or ARNs (of inference profiles, and of the models behind them)
 * @param alarms whether there are alarms, and a topic they are sent to
 * @param firewall whether AWS's managed rules look at each request before it reaches the API
 * @param traced whether requests, functions and state machines are traced by X-Ray
 * @param domain the API's own name; null for the one that API Gateway gives it
 * @param emulator what it runs on, where that is not AWS itself
 * @param settings of the functions, by the names of their environment variables
 * @param quotas what its account has to have raised
 * @param layout in which stacks the parts of its API are
 */
public record Environment(
    String name,
    boolean keepsData,
    int logDays,
    int memory,
    Concurrency concurrency,
    int queues,
    int requestsPerSecond,
    List<String> models,
    boolean alarms,
    boolean firewall,
    boolean traced,
    @Nullable Domain domain,
    @Nullable Emulator emulator,
    Map<String, String> settings,
    List<Quota> quotas,
    Layout layout) {

  public Environment {
    models = List.copyOf(models);
    if (models.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "models: an identifier or ARN each, with commas: " + models);
    }
    settings = Map.copyOf(settings);
    quotas = List.copyOf(quotas);
    for (Binding binding : Concurrency.polling()) {
      int each = concurrency.of(binding, binding.queues(queues).size()).orElse(0);
      if (each > Concurrency.MOST) {
        throw new IllegalArgumentException(
            "concurrency gives an event source of %s %d invocations at once, and none has over %d."
                .formatted(binding.function(), each, Concurrency.MOST));
      }
    }
  }

  /** The environment of the name, as its file has it. */
  public static Environment named(String name) {
    return EnvironmentFile.read(EnvironmentFile.FOLDER, name);
  }

  /** The same under a name of its own. */
  Environment at(Domain domain) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  /** The same with these models in the place of its own. */
  Environment proposingWith(List<String> models) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  /** The same on an emulator. */
  Environment on(Emulator emulator) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  /** The same with these settings of its functions, before its own of the same names. */
  Environment with(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(this.settings);
    all.putAll(settings);
    return copy(memory, concurrency, models, domain, emulator, all, layout);
  }

  /** The same with its parts in other stacks. */
  Environment with(Layout layout) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  /** The same with another memory. */
  Environment withMemory(int memory) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  /** The same with another concurrency. */
  Environment withConcurrency(Concurrency concurrency) {
    return copy(memory, concurrency, models, domain, emulator, settings, layout);
  }

  private Environment copy(
      int memory,
      Concurrency concurrency,
      List<String> models,
      @Nullable Domain domain,
      @Nullable Emulator emulator,
      Map<String, String> settings,
      Layout layout) {
    return new Environment(
        name,
        keepsData,
        logDays,
        memory,
        concurrency,
        queues,
        requestsPerSecond,
        models,
        alarms,
        firewall,
        traced,
        domain,
        emulator,
        settings,
        quotas,
        layout);
  }

  /**
   * What each event source of the function may have running at once; empty if nothing bounds it.
   */
  OptionalInt ofEachSource(Binding binding) {
    return concurrency.of(binding, binding.queues(queues).size());
  }

  /**
   * How many invocations are kept for the function alone, which are also the most that it has;
   * empty if it shares the account's. The executor has as many as all its event sources together,
   * one for each queue: so its own limit never refuses a message, which would count as a failure of
   * it, and no other function takes what approved actions need. Those that wait for plans have as
   * many as the environment's file says.
   */
  OptionalInt reserved(String function) {
    Binding executor = Trigger.EXECUTE_ACTION.binding();
    return function.equals(executor.function())
        ? ofEachSource(executor).stream().map(each -> each * queues).findFirst()
        : concurrency.keptFor(function);
  }

  /**
   * How many invocations of the function may wait for plans; empty if it is none of those that do,
   * or nothing bounds them.
   */
  OptionalInt mayWait(String function) {
    return concurrency.mayWait(function);
  }

  /** All that is kept for single functions. */
  int reserved() {
    return reserved(Trigger.EXECUTE_ACTION.binding().function()).orElse(0)
        + concurrency.allWaiting();
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
