package io.actiongovernance.functions.rehearsal;

import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.day.SourceSystem;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Goes through what a function does before its process is kept as a snapshot (Lambda SnapStart), so
 * that every process restored from it has loaded its classes, built its codecs, compiled what is
 * run most and negotiated with the tables before.
 *
 * <p>What it goes through are some {@link RehearsedDay days} of a tenant that there is none of, on
 * a {@link Stage} of its own: the functions themselves, over clients of AWS that make and read
 * everything and reach nothing, with a store in memory, a master key drawn for it, and a source
 * system on this machine. One read of the tables is real: whether they hold data in a form that
 * this build reads ({@link StoredForm}). If they do not, the version is not published, and the
 * deployment fails before anything has touched them. What it leaves behind in the snapshot is code,
 * no connection, thread, identifier, time, key or datum of that tenant. What the real function
 * keeps there is made at the start and no state: identifiers begin with the time, and the random
 * numbers of {@link SecureRandom} are the operating system's, which Lambda seeds anew at a restore.
 * Hence there is nothing to do after one.
 */
public final class Rehearsal implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Rehearsal.class);

  /** What is done often enough is compiled, and the machine's counts of it are kept. */
  public static final int DAYS = 20;

  /** No day begins after this, however slow the processor is. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** What is rehearsed: the routes there are, and how the parts are made. */
  public record Rehearsed(List<Route> routes, Parts parts) {}

  /** Makes the parts of a service, as they are deployed. */
  @FunctionalInterface
  public interface Parts {
    Wiring of(Settings settings, Clients clients, InstantSource clock, Ids ids, Store store);
  }

  private final Map<String, String> environment;
  private final Function<SdkHttpClient, Clients> clients;
  private final Supplier<SdkHttpClient> http;
  private final int days;
  private final Rehearsed rehearsed;

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
      int days,
      Rehearsed rehearsed) {
    this.environment = Map.copyOf(environment);
    this.clients = clients;
    this.http = http;
    this.days = days;
    this.rehearsed = rehearsed;
  }

  /** Has this function rehearse before a snapshot is taken of it, if one is. */
  public void beforeSnapshots() {
    Core.getGlobalContext().register(this);
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    try {
      rehearse();
    } catch (StoredForm.Unreadable e) {
      throw e;
    } catch (RuntimeException e) {
      // The function works without: its first request takes longer.
      LOG.warn("The rehearsal before the snapshot failed", e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // See above.
  }

  /**
   * Goes through what the function that the environment names does.
   *
   * @throws StoredForm.Unreadable if the tables hold data that this build does not read
   */
  public void rehearse() {
    String name = Settings.function(environment);
    Optional<Route> route =
        rehearsed.routes().stream().filter(one -> one.operation().equals(name)).findFirst();
    Optional<Trigger> trigger =
        Arrays.stream(Trigger.values())
            .filter(one -> one.binding().function().equals(name))
            .findFirst();
    Consumer<RehearsedDay> work =
        route
            .<Consumer<RehearsedDay>>map(one -> day -> day.live(one))
            .or(() -> trigger.map(one -> day -> day.live(one)))
            .orElse(RehearsedDay::goAstray);
    List<Trigger> executors =
        Stream.concat(
                trigger.filter(one -> one == Trigger.GIVE_UP_ACTION).stream(),
                Stream.of(Trigger.EXECUTE_ACTION))
            .toList();
    try (SourceSystem sourceSystem = new SourceSystem();
        Stage stage = new Stage(environment, clients, sourceSystem, executors, rehearsed)) {
      long begun = System.nanoTime();
      for (int day = 0; day < days && System.nanoTime() - begun < LONGEST.toNanos(); day++) {
        work.accept(new RehearsedDay(stage));
      }
    }
    Rights rights =
        route
            .map(Route::rights)
            .or(() -> trigger.map(Trigger::rights))
            .orElseGet(Needs::ofUnknownPaths);
    if (rights.permit(TableAccess.READ, Table.STATE)) {
      read(Settings.tables(environment));
    }
  }

  /** Looks in the tables, for the form of what they hold. */
  private void read(TableNames names) {
    try (SdkHttpClient readsOnly = new ReadsOnly(http.get());
        Clients reading = clients.apply(readsOnly)) {
      StoredForm.require(new DynamoStore(reading.dynamo(), names));
    }
  }
}
