package io.actiongovernance.functions.samples;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.AwsClients;
import io.actiongovernance.functions.aws.Clients;
import io.actiongovernance.functions.aws.DynamoStore;
import io.actiongovernance.functions.priming.AnsweredAws;
import io.actiongovernance.functions.priming.Priming.Primed;
import io.actiongovernance.functions.priming.Recording;
import io.actiongovernance.functions.priming.SourceSystem;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Table;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The functions, made as they are deployed, but over {@link SampleAws}, a {@link SourceSystem} of
 * this machine and a store in memory. The same with every build, since its clock and its
 * identifiers are made up. Records the invocations of a function if asked. Not thread-safe.
 */
final class SampleService implements AutoCloseable {
  private static final Instant MORNING = Instant.parse("2026-11-20T08:30:00.000Z");
  private static final int STEP_MILLIS = 13;

  /** Digests of tools depend on it; below the ports that systems give to connections. */
  private static final int PORT = 18_611;

  private static final String UNKNOWN = "unknown-path";

  private final Primed service;
  private final SourceSystem sourceSystem = new SourceSystem(PORT);
  private final Map<String, String> environment;
  private final Settings settings;
  private final InMemoryStore memory = new InMemoryStore();
  private final AtomicInteger steps = new AtomicInteger();
  private final InstantSource clock =
      () -> MORNING.plusMillis((long) STEP_MILLIS * steps.incrementAndGet());
  private @Nullable SampleAws asked;
  private final Clients clients =
      AwsClients.over(
          new AnsweredAws(
              (operation, request) -> Objects.requireNonNull(asked).to(operation, request)));
  private final Parts parts;
  private @Nullable String recorded;
  private List<Trigger> executors = List.of(Trigger.EXECUTE_ACTION);
  private ArrayNode recordings = Json.object().putArray("recordings");
  private int seeds;

  /**
   * @param further settings beside those that it needs
   */
  SampleService(Primed service, Map<String, String> further) {
    this.service = service;
    this.environment = new HashMap<>(further);
    environment.put("GOVERNANCE_PREFIX", "governance");
    // Thirty-two bytes that are zero: nothing that is sealed here is anybody's.
    environment.put("GOVERNANCE_MASTER_KEY", "A".repeat(43) + "=");
    environment.put("GOVERNANCE_EGRESS_ALLOW", SourceSystem.ADDRESSES);
    environment.put("GOVERNANCE_WEBHOOK_RETRY_SECONDS", "0");
    environment.put("GOVERNANCE_PASSKEY_SETTLE_SECONDS", "0");
    environment.put(Settings.OTLP_ENDPOINT, sourceSystem.url("http").toString());
    this.settings = Settings.of(environment);
    this.parts = new Parts(clock, 0);
  }

  /** The parts of functions, by what answers them. */
  private final class Parts {
    private final SampleAws aws = new SampleAws(SampleService.this::arrived);
    private final Map<String, RequestHandler<Object, Object>> handlers = new HashMap<>();
    private final Wiring wiring;

    Parts(InstantSource clock, int seed) {
      this.wiring =
          service
              .parts()
              .of(
                  settings,
                  clients,
                  clock,
                  new Ids(clock, new Random(seed)),
                  new SampleStore(
                      memory,
                      new DynamoStore(clients.dynamo(), settings.tables()),
                      aws,
                      settings.tables()));
    }

    private @Nullable Object answer(String function, Object event) {
      boolean triggered =
          Arrays.stream(Trigger.values())
              .anyMatch(trigger -> trigger.binding().function().equals(function));
      RequestHandler<Object, Object> handler =
          handlers.computeIfAbsent(
              triggered ? function : UNKNOWN, name -> service.handler(name, wiring));
      SampleAws before = asked;
      asked = aws;
      try {
        return handler.handleRequest(event, null);
      } finally {
        asked = before;
      }
    }
  }

  /** Records what a function is invoked with by this, and how that goes. */
  ArrayNode record(String function, Runnable work) {
    recorded = function;
    recordings = Json.object().putArray("recordings");
    executors =
        function.equals(Trigger.GIVE_UP_ACTION.binding().function())
            ? List.of(Trigger.GIVE_UP_ACTION, Trigger.EXECUTE_ACTION)
            : List.of(Trigger.EXECUTE_ACTION);
    try {
      work.run();
    } finally {
      recorded = null;
    }
    return recordings;
  }

  /** What is sent is handled at once, if a function waits for it. */
  private void arrived(String queue, String body) {
    String prefix = settings.prefix();
    if (Queue.ACTIONS.deployed(settings.actionQueues().count()).stream()
        .anyMatch(actions -> queue.equals(actions.wireName(prefix)))) {
      executors.forEach(executor -> message(executor, body));
    } else if (queue.equals(Queue.ATTEMPTS.wireName(prefix))) {
      message(Trigger.DELIVER_WEBHOOK, body);
    }
  }

  /** Has a trigger's function handle a message. */
  void message(Trigger trigger, String body) {
    done(trigger, Recording.message(body));
  }

  /** Has a trigger's function handle all that a table holds of a tenant. */
  void relay(Trigger trigger, Table table, TenantId tenant) {
    List<Item> items =
        memory.everything().stream()
            .filter(item -> item.key().table() == table)
            .filter(item -> Json.write(Recording.json(item)).contains(tenant.value()))
            .toList();
    done(trigger, Recording.inserted(items));
  }

  /** Has a trigger's function handle an event of names and values. */
  @Nullable Object event(Trigger trigger, Map<String, Object> event) {
    return done(trigger, Recording.invocation(event));
  }

  private @Nullable Object done(Trigger trigger, ObjectNode form) {
    Object answer = answer(trigger.binding().function(), form);
    if (Recording.status(answer) >= 500) {
      throw new IllegalStateException(trigger + " failed on " + form);
    }
    return answer;
  }

  APIGatewayProxyResponseEvent request(APIGatewayProxyRequestEvent request) {
    return (APIGatewayProxyResponseEvent)
        Objects.requireNonNull(answer(function(request), Recording.request(request)));
  }

  private @Nullable Object answer(String function, ObjectNode form) {
    Object event = new Recording(form).event();
    if (!function.equals(recorded)) {
      return parts.answer(function, event);
    }
    List<Long> times = new ArrayList<>();
    InstantSource kept =
        () -> {
          Instant now = clock.instant();
          times.add(now.toEpochMilli());
          return now;
        };
    Parts own = new Parts(kept, ++seeds);
    form.put("seed", seeds)
        .put("port", sourceSystem.port())
        .set("settings", Json.tree(new TreeMap<>(environment)));
    Object answer = own.answer(function, event);
    form.set("times", Json.tree(times));
    form.set("answers", own.aws.kept());
    recordings.add(form.put("status", Recording.status(answer)));
    return answer;
  }

  /** The function that a request is for: of several routes the one that names most of its path. */
  private String function(APIGatewayProxyRequestEvent request) {
    return service.routes().stream()
        .filter(route -> route.method().name().equals(request.getHttpMethod()))
        .filter(route -> request.getPath().matches(route.path().replaceAll("\\{[^}]*}", "[^/]+")))
        .min(Comparator.comparingInt(route -> route.pathParameters().size()))
        .map(Route::operation)
        .orElse(UNKNOWN);
  }

  InstantSource clock() {
    return clock;
  }

  /** What source systems, authorisation servers and webhook endpoints are here. */
  SourceSystem sourceSystem() {
    return sourceSystem;
  }

  /** Public address of the service. */
  URI baseUrl() {
    return settings.baseUrl();
  }

  List<Route> routes() {
    return service.routes();
  }

  @Override
  public void close() {
    clients.close();
    sourceSystem.close();
  }
}
