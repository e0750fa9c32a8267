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
 * All differences between deployments. Each environment is a file in {@code environments/}, chosen
 * by its name: {@code -c env=dev}.
 *
 * @param name part of every name in the deployment, so that an account can hold several deployments
 * @param keepsData whether tables and master key outlive their stack and are protected from
 *     deletion. Tables that are kept for good can then also be restored to any second of the last
 *     35 days
 * @param logDays retention of logs, in days that CloudWatch permits
 * @param memory the most memory of a function in MB; a function's share of a processor grows with
 *     its memory
 * @param concurrency limits of the concurrent invocations of functions that messages start
 * @param queues number of FIFO queues that share the actions, each with its own event source
 * @param requestsPerSecond the API's total limit, before the limits of each tenant
 * @param models the Bedrock models that operators may propose with: identifiers of models of the
 *     region, or ARNs (of inference profiles, and of the models behind them)
 * @param alarms whether there are alarms, and a topic they are sent to
 * @param firewall whether AWS's managed rules inspect each request before it reaches the API
 * @param traced whether X-Ray traces requests, functions and state machines
 * @param domain the API's own name; null if it has the name that API Gateway gives it
 * @param emulator the emulator it runs on; null for AWS itself
 * @param settings settings of the functions, by the names of their environment variables
 * @param quotas the quotas that its account needs to have raised
 * @param place its account and region; null on an emulator, which has its own, and if nothing is
 *     deployed yet
 * @param streams number of event streams that all tenants together may have open; empty if
 *     unlimited
 * @param backup copies of the tables elsewhere; null if there are none
 * @param withoutBackup the loss that is accepted by having no copies, in the words of the person
 *     who decided it; null if nobody has
 * @param readiness its self-monitoring
 * @param generations the generations of its restored tables
 * @param budget its account's daily cost in USD beyond which people are notified; empty if nobody
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
   * The longest ARN of a model or an inference profile. ARNs are in policies, whose size is
   * limited.
   */
  static final int LONGEST_MODEL = 150;

  public Environment {
    generations = Map.copyOf(generations);
    if (!keepsData && generations.values().stream().anyMatch(generation -> generation > 1)) {
      throw new IllegalArgumentException(
          "tables names restored tables, but none can be restored if keeps_data is false. Leave it"
              + " out.");
    }
    models = List.copyOf(models);
    if (models.stream().anyMatch(String::isBlank)) {
      throw new IllegalArgumentException(
          "models must be identifiers or ARNs, separated by commas, not " + models + ".");
    }
    if (models.size() > MOST_MODELS
        || models.stream().anyMatch(model -> model.length() > LONGEST_MODEL)) {
      throw new IllegalArgumentException(
          "models may have at most %s names, each of at most %s characters: roles hold no more."
              .formatted(MOST_MODELS, LONGEST_MODEL));
    }
    settings = withDefaults(settings, keepsData && emulator == null);
    quotas = List.copyOf(quotas);
    requireFitting(place, domain, emulator, backup);
    for (Binding binding : Concurrency.polling()) {
      int each = concurrency.of(binding, binding.queues(queues).size()).orElse(0);
      if (each > Concurrency.MOST) {
        throw new IllegalArgumentException(
            ("concurrency gives an event source of %s %s simultaneous invocations, but at most %s"
                    + " are possible.")
                .formatted(binding.function(), each, Concurrency.MOST));
      }
    }
  }

  /**
   * The settings with defaults: kept data is sealed under data keys of KMS, unless the settings say
   * otherwise.
   */
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
          "An emulator has its own account and region. Leave account and region out.");
    }
    if (place != null && domain != null && !domain.region().equals(place.region())) {
      throw new IllegalArgumentException(
          "domain.certificate is in the region %s, but must be in that of the API, %s."
              .formatted(domain.region(), place.region()));
    }
    if (place != null && backup != null && backup.place().equals(place)) {
      throw new IllegalArgumentException(
          "backup.vault is where the tables are. Name a vault in another region or account.");
    }
  }

  /** The environment of this name, read from its file. */
  public static Environment named(String name) {
    return EnvironmentFile.read(EnvironmentFile.FOLDER, name);
  }

  /** A copy with its own host name. */
  Environment at(Domain domain) {
    return but(copy -> copy.domain = domain);
  }

  /** A copy with these models instead of its own. */
  Environment proposingWith(List<String> models) {
    return but(copy -> copy.models = models);
  }

  /** A copy on an emulator. */
  Environment on(Emulator emulator) {
    return but(copy -> copy.emulator = emulator);
  }

  /**
   * A copy with these settings of its functions, which override its own settings of the same names.
   */
  Environment with(Map<String, String> settings) {
    Map<String, String> all = new TreeMap<>(this.settings);
    all.putAll(settings);
    return but(copy -> copy.settings = all);
  }

  /** A copy in that account and region. */
  Environment in(Place place) {
    return but(copy -> copy.place = place);
  }

  /** A copy whose tables are copied elsewhere. */
  Environment copiedTo(Backup backup) {
    return but(copy -> copy.backup = backup);
  }

  Environment withConcurrency(Concurrency concurrency) {
    return but(copy -> copy.concurrency = concurrency);
  }

  /** A copy with that generation of a table in use. */
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

  /** The changeable parts of an environment's copy. */
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

  /** The triggers that start functions of this environment, besides requests. */
  List<Trigger> triggers() {
    return Trigger.of(settings);
  }

  /** The concurrency limit of each event source of the function; empty if unlimited. */
  OptionalInt ofEachSource(Binding binding) {
    return concurrency.of(binding, binding.queues(queues).size());
  }

  /**
   * The invocations reserved for the function, which are also its limit; empty if it shares the
   * account's.
   *
   * <p>For the executor, as many are reserved as all its event sources may have together, one
   * source for each queue. Its own limit therefore never refuses a message, which would count as
   * the message's failure, and no other function takes what approved actions need. For functions
   * that wait for plans, and for the one that streams, the environment's file states the number.
   * For unknown paths it is small.
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
   * The functions limited to their reservation, of which Lambda may rightly refuse some
   * invocations. The executor is not one of them: its event sources stay below the limit.
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
   * The function's invocations that may wait for plans; empty if it never waits, or is unlimited.
   */
  OptionalInt mayWait(String function) {
    return concurrency.mayWait(function);
  }

  /** The sum of all reserved invocations. */
  int reserved() {
    return reserved(Trigger.EXECUTE_ACTION.binding().function()).orElse(0)
        + concurrency.allWaiting()
        + concurrency.ofUnknownPaths().orElse(0)
        + streams.orElse(0);
  }

  /**
   * The properties that all stacks of the environment share: its place, and the location of the
   * assets.
   */
  StackProps.Builder stack() {
    StackProps.Builder stack = StackProps.builder();
    if (place != null) {
      stack.env(place.ofStacks());
    }
    return emulator == null ? stack : stack.synthesizer(Emulator.synthesizer());
  }

  /** Returns whether one function answers all routes, without versions and aliases. */
  boolean isLean() {
    return emulator != null && !emulator.full();
  }

  /**
   * Refuses a deployment without a place, because it would go wherever the current credentials
   * lead.
   *
   * @throws IllegalStateException if the environment states no place and is not on an emulator
   */
  void requirePlace() {
    if (place == null && emulator == null) {
      throw new IllegalStateException(
          "%s has no account and no region, without which nothing is deployed. Write both into %s."
              .formatted(name, name + EnvironmentFile.ENDING));
    }
  }

  /**
   * Refuses to lose its kept data with its region or account, unless its file accepts that. An
   * emulator has neither.
   *
   * @throws IllegalStateException if it has no copies elsewhere, and nobody has stated the loss
   *     that this accepts
   */
  void requireCopies() {
    if (keepsData && emulator == null && backup == null && withoutBackup == null) {
      throw new IllegalStateException(
          ("%s keeps its data, but has no copies in another region or account. Name a vault in"
                  + " backup, or state in without_backup what is given up. Both are fields of %s.")
              .formatted(name, name + EnvironmentFile.ENDING));
    }
  }

  TableNames tables() {
    return new TableNames(prefix(), generations);
  }

  /** The prefix of the names of tables, queues, functions and the bus. */
  public String prefix() {
    return "governance-" + name;
  }
}
