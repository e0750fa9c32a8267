package io.actiongovernance.functions.priming;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.rights.TableAccess;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.settings.Start;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoredForm;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.function.Supplier;
import org.crac.Context;
import org.crac.Core;
import org.crac.Resource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * Primes a function before its process is stored as a snapshot (Lambda SnapStart), or while it
 * starts ahead of its requests (provisioned concurrency). Every process that answers requests has
 * then loaded the classes, built the codecs, compiled the most used code and negotiated TLS with
 * the tables.
 *
 * <p>It runs the function itself on its {@link Recording recordings}. The AWS clients of this
 * replay create every request and parse every response, but connect to nothing; the source system
 * is on this machine. Only one read of the tables is real: it checks that they hold data in a form
 * that this build reads ({@link StoredForm}). If they do not, the version is not published, and the
 * deployment fails before it has touched the tables.
 *
 * <p>Of the replay, the snapshot keeps the code, but no connection, thread, identifier, time, key
 * or data. The state of the real function is created at the start, and it holds none of these
 * either. Identifiers begin with the time, and {@link java.security.SecureRandom} uses the
 * operating system's random numbers, which Lambda reseeds at a restore. Therefore nothing needs to
 * be done after a restore.
 */
public final class Priming implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(Priming.class);

  /** Rounds of a replay. Their number is enough for the code to be compiled before the snapshot. */
  public static final int ROUNDS = 20;

  /** No round begins after this time, however slow the processor is. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** The service to prime: its routes, and a factory for its parts. */
  public record Primed(List<Route> routes, Parts parts) {
    /**
     * The function with this name. If no route or trigger has the name, the function for unknown
     * paths.
     */
    @SuppressWarnings("unchecked") // The caller knows the type of the function's events.
    public RequestHandler<Object, Object> handler(String function, Wiring wiring) {
      RequestHandler<?, ?> handler =
          trigger(function)
              .<RequestHandler<?, ?>>map(trigger -> trigger.binding().handler().apply(wiring))
              .orElseGet(() -> new ApiFunction(wiring, routes));
      return (RequestHandler<Object, Object>) handler;
    }

    private static Optional<Trigger> trigger(String function) {
      return Arrays.stream(Trigger.values())
          .filter(one -> one.binding().function().equals(function))
          .findFirst();
    }

    private Rights rights(String function) {
      return trigger(function)
          .map(Trigger::rights)
          .or(
              () ->
                  routes.stream()
                      .filter(one -> one.operation().equals(function))
                      .findFirst()
                      .map(Route::rights))
          .orElseGet(Needs::ofUnknownPaths);
    }
  }

  /** Creates the parts of a deployed service. */
  @FunctionalInterface
  public interface Parts {
    Wiring of(Settings settings, Clients clients, InstantSource clock, Ids ids, Store store);
  }

  private final Map<String, String> environment;
  private final Function<SdkHttpClient, Clients> clients;
  private final Supplier<SdkHttpClient> http;
  private final int rounds;
  private final Primed primed;

  /**
   * @param environment the function's settings and its name
   * @param clients creates AWS clients over an HTTP client
   * @param http the client for the real read
   * @param rounds the number of replays of each recording
   */
  public Priming(
      Map<String, String> environment,
      Function<SdkHttpClient, Clients> clients,
      Supplier<SdkHttpClient> http,
      int rounds,
      Primed primed) {
    this.environment = Map.copyOf(environment);
    this.clients = clients;
    this.http = http;
    this.rounds = rounds;
    this.primed = primed;
  }

  /**
   * Primes this function now if it starts ahead of its requests; otherwise just before a snapshot
   * of it is taken, if one is.
   *
   * @throws StoredForm.Unreadable as {@link #prime} does
   */
  public void whenStarted() {
    if (Start.of(environment) == Start.PROVISIONED) {
      primeIfPossible();
    } else {
      Core.getGlobalContext().register(this);
    }
  }

  @Override
  public void beforeCheckpoint(Context<? extends Resource> context) {
    primeIfPossible();
  }

  private void primeIfPossible() {
    try {
      prime();
    } catch (StoredForm.Unreadable e) {
      throw e;
    } catch (RuntimeException e) {
      // The function works without priming; its first request takes longer.
      LOG.warn("Priming failed", e);
    }
  }

  @Override
  public void afterRestore(Context<? extends Resource> context) {
    // Nothing to do, for the reason that the class comment gives.
  }

  /**
   * Primes the function that the environment names.
   *
   * @throws StoredForm.Unreadable if the tables hold data that this build does not read
   */
  public void prime() {
    String function = Settings.function(environment);
    // First, so that a failed replay cannot hide unreadable data.
    if (primed.rights(function).permit(TableAccess.READ, Table.STATE)) {
      read(Settings.tables(environment));
    }
    replay(function, Recording.of(function));
  }

  private void replay(String function, List<Recording> recordings) {
    if (recordings.isEmpty()) {
      return;
    }
    int port = recordings.getFirst().port();
    Replay replay = new Replay();
    long begun = System.nanoTime();
    try (Clients replayed = clients.apply(new AnsweredAws(replay));
        SourceSystem sourceSystem = new SourceSystem(port)) {
      if (sourceSystem.port() != port) {
        throw new IllegalStateException("Port " + port + " of the recordings is taken.");
      }
      for (int round = 0;
          round < rounds && System.nanoTime() - begun < LONGEST.toNanos();
          round++) {
        for (Recording recording : recordings) {
          replay.of(recording);
          replay(function, recording, replayed);
        }
      }
    }
  }

  private void replay(String function, Recording recording, Clients replayed) {
    Settings settings = Settings.of(recording.settings());
    InstantSource clock = recording.clock();
    Wiring wiring =
        primed
            .parts()
            .of(
                settings,
                replayed,
                clock,
                new Ids(clock, new Random(recording.seed())),
                new DynamoStore(replayed.dynamo(), settings.tables()));
    recording.check(primed.handler(function, wiring).handleRequest(recording.event(), null));
  }

  /** Checks the form of the tables' data. */
  private void read(TableNames names) {
    try (SdkHttpClient readsOnly = new ReadsOnly(http.get());
        Clients reading = clients.apply(readsOnly)) {
      StoredForm.require(new DynamoStore(reading.dynamo(), names));
    }
  }
}
