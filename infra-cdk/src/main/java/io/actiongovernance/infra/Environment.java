package io.actiongovernance.infra;

import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.StackProps;

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
 * @param place its account and region; null on an emulator, which has its own, and where nothing is
 *     deployed yet
 * @param streams how many event streams may be open at once, of all tenants; empty if nothing
 *     bounds them
 * @param backup copies of the tables elsewhere; null if there are none
 * @param withoutBackup what is given up without copies, in the words of who decided it; null if
 *     nobody has
 * @param readiness how it watches over itself
 * @param generations of those of its tables that were restored
 * @param budget what its account may cost a day, in USD, before somebody is told; empty if nobody
 *     is
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
    @Nullable Place place,
    OptionalInt streams,
    @Nullable Backup backup,
    @Nullable String withoutBackup,
    Readiness readiness,
    Map<Table, Integer> generations,
    OptionalInt budget) {
  static final int MOST_MODELS = 50;

  /**
   * The longest ARN of a model or an inference profile; they are in policies, which have a limit.
   */
  static final int LONGEST_MODEL = 150;

  public Environment {
    generations = Map.copyOf(generations);
    if (!keepsData && generations.values().stream().anyMatch(generation -> generation > 1)) {
      throw new IllegalArgumentException(
          "tables says which were restored, and where keeps_data is false none can be: leave it out.");
    }
    models = List.copyOf(models);
    if (models.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "models: an identifier or ARN each, with commas: " + models);
    }
    if (models.size() > MOST_MODELS
        || models.stream().anyMatch(model -> model.length() > LONGEST_MODEL)) {
      throw new IllegalArgumentException(
          "models: at most %s, each of at most %s characters: roles hold no more."
              .formatted(MOST_MODELS, LONGEST_MODEL));
    }
    settings = withDefaults(settings, keepsData && emulator == null);
    quotas = List.copyOf(quotas);
    requireFitting(place, domain, emulator, backup);
    for (Binding binding : Concurrency.polling()) {
      int each = concurrency.of(binding, binding.queues(queues).size()).orElse(0);
      if (each > Concurrency.MOST) {
        throw new IllegalArgumentException(
            "concurrency gives an event source of %s %s invocations at once, and none has over %s."
                .formatted(binding.function(), each, Concurrency.MOST));
      }
    }
  }

  /** What is kept is sealed under data keys of KMS, unless the settings say otherwise. */
  private static Map<String, String> withDefaults(Map<String, String> settings, boolean kept) {
    Map<String, String> all = new TreeMap<>(settings);
    if (kept) {
      all.putIfAbsent(Settings.DATA_KEYS, "seal");
    }
    return Map.copyOf(all);
  }

  private static void requireFitting(
      @Nullable Place place,
      @Nullable Domain domain,
      @Nullable Emulator emulator,
      @Nullable Backup backup) {
    if (place != null && emulator != null) {
      throw new IllegalArgumentException(
          "account and region are the emulator's own where there is one: leave them out.");
    }
    if (place != null && domain != null && !domain.region().equals(place.region())) {
      throw new IllegalArgumentException(
          "domain.certificate is of the region %s, and must be of that of the API, %s."
              .formatted(domain.region(), place.region()));
    }
    if (place != null && backup != null && backup.place().equals(place)) {
      throw new IllegalArgumentException(
          "backup.vault is where the tables are: copies belong into another region or account.");
    }
  }

  /** The environment of the name, as its file has it. */
  public static Environment named(String name) {
    return EnvironmentFile.read(EnvironmentFile.FOLDER, name);
  }

  /** The same under a name of its own. */
  Environment at(Domain domain) {
    return but(copy -> copy.domain = domain);
  }

  /** The same with these models in the place of its own. */
  Environment proposingWith(List<String> models) {
    return but(copy -> copy.models = models);
  }

  /** The same on an emulator. */
  Environment on(Emulator emulator) {
    return but(copy -> copy.emulator = emulator);
  }

  /** The same with these settings of its functions, before its own of the same names. */
  Environment with(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(this.settings);
    all.putAll(settings);
    return but(copy -> copy.settings = all);
  }

  /** The same in that account and region. */
  Environment in(Place place) {
    return but(copy -> copy.place = place);
  }

  /** The same with copies of its tables elsewhere. */
  Environment copiedTo(Backup backup) {
    return but(copy -> copy.backup = backup);
  }

  /** The same with another concurrency. */
  Environment withConcurrency(Concurrency concurrency) {
    return but(copy -> copy.concurrency = concurrency);
  }

  /** The same with that generation of a table in use. */
  Environment with(Table table, int generation) {
    Map<Table, Integer> next = new EnumMap<>(Table.class);
    next.putAll(generations);
    next.put(table, generation);
    return but(copy -> copy.generations = next);
  }

  private Environment but(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.made();
  }

  /** What copies of an environment differ in, until one is made. */
  private static final class Copy {
    private final Environment of;
    private Concurrency concurrency;
    private List<String> models;
    private @Nullable Domain domain;
    private @Nullable Emulator emulator;
    private Map<String, String> settings;
    private @Nullable Place place;
    private @Nullable Backup backup;
    private Map<Table, Integer> generations;

    Copy(Environment of) {
      this.of = of;
      this.concurrency = of.concurrency;
      this.models = of.models;
      this.domain = of.domain;
      this.emulator = of.emulator;
      this.settings = of.settings;
      this.place = of.place;
      this.backup = of.backup;
      this.generations = of.generations;
    }

    Environment made() {
      return new Environment(
          of.name,
          of.keepsData,
          of.logDays,
          of.memory,
          concurrency,
          of.queues,
          of.requestsPerSecond,
          models,
          of.alarms,
          of.firewall,
          of.traced,
          domain,
          emulator,
          settings,
          of.quotas,
          place,
          of.streams,
          backup,
          of.withoutBackup,
          of.readiness,
          generations,
          of.budget);
    }
  }

  /** What starts its functions, but requests. */
  List<Trigger> triggers() {
    return Trigger.of(settings);
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
   * it, and no other function takes what approved actions need. Those that wait for plans, and what
   * streams, have as many as the environment's file says; paths that there are none of have few.
   */
  OptionalInt reserved(String function) {
    Binding executor = Trigger.EXECUTE_ACTION.binding();
    if (function.equals(executor.function())) {
      return ofEachSource(executor).stream().map(each -> each * queues).findFirst();
    }
    if (function.equals(RoutesStack.UNKNOWN)) {
      return concurrency.ofUnknownPaths();
    }
    return function.equals(EventRoutes.STREAM_EVENTS.operation())
        ? streams
        : concurrency.keptFor(function);
  }

  /**
   * The functions that have no more than what is kept for them, so that Lambda refuses some of
   * their invocations as it should. The executor is none of them: its event sources stay below.
   */
  List<String> capped() {
    Set<String> capped = new TreeSet<>(concurrency.keeping());
    if (streams.isPresent()) {
      capped.add(EventRoutes.STREAM_EVENTS.operation());
    }
    if (concurrency.ofUnknownPaths().isPresent()) {
      capped.add(RoutesStack.UNKNOWN);
    }
    return List.copyOf(capped);
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
        + concurrency.allWaiting()
        + concurrency.ofUnknownPaths().orElse(0)
        + streams.orElse(0);
  }

  /** What every stack of it has: where it is, and how its assets are found. */
  StackProps.Builder stack() {
    StackProps.Builder stack = StackProps.builder();
    if (place != null) {
      stack.env(place.ofStacks());
    }
    return emulator == null ? stack : stack.synthesizer(Emulator.synthesizer());
  }

  /** Whether one function answers all routes, and functions have neither versions nor aliases. */
  boolean isLean() {
    return emulator != null && !emulator.full();
  }

  /**
   * Refuses to be deployed anywhere, by whosever credentials.
   *
   * @throws IllegalStateException if it does not say where it is, and is on no emulator
   */
  void requirePlace() {
    if (place == null && emulator == null) {
      throw new IllegalStateException(
          "%s says no account and no region, and nothing is deployed without: write both into %s."
              .formatted(name, name + EnvironmentFile.ENDING));
    }
  }

  /**
   * Refuses to lose with its region or account what it keeps, unless its file says so. An emulator
   * has neither.
   *
   * @throws IllegalStateException if it has no copies elsewhere, and nobody has said what that
   *     gives up
   */
  void requireCopies() {
    if (keepsData && emulator == null && backup == null && withoutBackup == null) {
      throw new IllegalStateException(
          ("%s keeps its data, and has no copies in another region or account: name a vault in"
                  + " backup, or say in without_backup what is given up. Both are fields of %s.")
              .formatted(name, name + EnvironmentFile.ENDING));
    }
  }

  /** The names of its tables. */
  TableNames tables() {
    return new TableNames(prefix(), generations);
  }

  /** What the names of tables, queues, functions and the bus begin with. */
  public String prefix() {
    return "governance-" + name;
  }
}
