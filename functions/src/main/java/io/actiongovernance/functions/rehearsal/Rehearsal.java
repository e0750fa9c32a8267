package io.actiongovernance.functions.rehearsal;

import io.actiongovernance.functions.Clients;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Operation;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Table;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Goes through what a function does before its process is kept as a snapshot (Lambda SnapStart), so
 * that every process restored from it has loaded its classes, built its codecs, compiled what is
 * run most and negotiated with the tables before.
 *
 * <p>What it goes through are some {@link Day days} of a tenant that there is none of, on a {@link
 * Stage} of its own: the functions themselves, over clients of AWS that make and read everything
 * and reach nothing, with a store in memory, a master key drawn for it, and a source system on this
 * machine. One read of the tables, for what is not there, is real. What it leaves behind in the
 * snapshot is code, no connection, thread, identifier, time, key or datum of that tenant. What the
 * real function keeps there is made at the start and no state: identifiers begin with the time, and
 * the random numbers of {@link SecureRandom} are the operating system's, which Lambda seeds anew at
 * a restore. Hence there is nothing to do after one.
 */
public final class Rehearsal implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  /** What is done often enough is compiled, and the machine's counts of it are kept. */
  private static final int DAYS = 20;

  /** No day begins after this, however slow the processor is. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private static final TenantId NOBODY = new TenantId(TenantId.PREFIX + "0".repeat(26));

  /** The context holds its resources weakly: this holds the only one there is. */
  private static final Rehearsal DEPLOYED =
      new Rehearsal(System.getenv(), AwsClients::over, UrlConnectionHttpClient::create, DAYS);

  private final Map<String, String> environment;
  private final Function<SdkHttpClient, Clients> clients;
  private final Supplier<SdkHttpClient> http;
  private final int days;

  /**
   * @param environment the function's: its settings, and its name
   * @param clients the clients of AWS over an HTTP client
   * @param http what the real read goes through
   * @param days how many of them
   */
  public Rehearsal(
      Map<String, String> environment,
      Function<SdkHttpClient, Clients> clients,
      Supplier<SdkHttpClient> http,
      int days) {
    this.environment = Map.copyOf(environment);
    this.clients = clients;
    this.http = http;
    this.days = days;
  }

  /** Has the deployed function rehearse before a snapshot is taken of it, if one is. */
  public static void beforeSnapshots() {
    Core.getGlobalContext().register(DEPLOYED);
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      rehearse();
    } catch (RuntimeException e) {
      // The function works without: its first request takes longer.
      LOG.warn("The rehearsal before the snapshot failed", e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // See above.
  }

  /** Goes through what the function that the environment names does. */
  public void rehearse() {
    String prefix = Settings.prefix(environment);
    String name =
        environment
            .getOrDefault("AWS_LAMBDA_FUNCTION_NAME", "")
            .replaceFirst("^" + prefix + "-", "");
    Optional<Route> route =
        Arrays.stream(Route.values()).filter(one -> one.operation().equals(name)).findFirst();
    Optional<Trigger> trigger =
        Arrays.stream(Trigger.values())
            .filter(one -> one.binding().function().equals(name))
            .findFirst();
    Consumer<Day> work =
        route
            .<Consumer<Day>>map(one -> day -> day.live(one))
            .or(() -> trigger.map(one -> day -> day.live(one)))
            .orElse(Day::goAstray);
    Trigger executor =
        trigger.filter(one -> one == Trigger.GIVE_UP_ACTION).orElse(Trigger.EXECUTE_ACTION);
    try (SourceSystem sourceSystem = new SourceSystem()) {
      Stage stage = new Stage(environment, clients, sourceSystem, executor);
      long begun = System.nanoTime();
      for (int day = 0; day < days && System.nanoTime() - begun < LONGEST.toNanos(); day++) {
        work.accept(new Day(stage));
      }
    }
    Rights rights =
        route.map(Needs::of).or(() -> trigger.map(Needs::of)).orElseGet(Needs::ofUnknownPaths);
    if (rights.permit(Operation.READ, Table.STATE)) {
      read(prefix);
    }
  }

  /** Looks in the tables for what is not there. */
  private void read(String prefix) {
    try (SdkHttpClient readsOnly = new ReadsOnly(http.get())) {
      DynamoDbClient tables = clients.apply(readsOnly).dynamo();
      var unused = new DynamoStore(tables, prefix).get(Key.single(Table.STATE, NOBODY.value()));
    }
  }
}
