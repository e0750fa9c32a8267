package io.actiongovernance.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.fixture.Certificates;
import io.actiongovernance.localstack.tenant.NewTenant;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kill switch against a real source system: once the request to halt was answered, it sees no
 * call that began later (contract, section 4).
 */
final class KillSwitchTest {
  private static final int PLANS = 60;
  private static final int RUNNING_WHEN_HALTED = 15;

  private static final NewTenant UNHURRIED =
      new NewTenant(
          "acme",
          null,
          null,
          null,
          Map.of("plans.read", 100_000, "plans.write", 1_000, "global.read", 100_000));

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  /** When each call reached the source system, by {@link System#nanoTime()}. */
  private final ConcurrentLinkedQueue<Long> arrivals = new ConcurrentLinkedQueue<>();

  private final CountDownLatch underWay = new CountDownLatch(RUNNING_WHEN_HALTED);

  @Test
  void noCallBeginsAfterAHaltAndAllRunAfterTheLift() throws Exception {
    HttpServer upstream = upstream();
    try (EmbeddedStack stack =
            EmbeddedStack.start(
                new EmbeddedStack.Options(
                    folder,
                    0,
                    Map.of("GOVERNANCE_EGRESS_ALLOW", "127.0.0.1/32"),
                    Service.governance(),
                    line -> {}));
        ExecutorService agents = Executors.newFixedThreadPool(8)) {
      Api api = new Api(stack, stack.newTenant(UNHURRIED).keys().live());
      String connector = api.make("/v1/connectors", install(upstream)).get("id").textValue();
      String operator = api.make("/v1/operators", OPERATOR).get("id").textValue();
      for (int number = 0; number < PLANS; number++) {
        String body = plan(connector, number);
        agents.execute(() -> api.make("/v1/operators/" + operator + "/plans", body));
      }
      underWay.await();
      JsonNode halt = api.make("/v1/halts", "{'scope':'tenant','reason':'race'}");
      long answered = System.nanoTime();
      int before = arrivals.size();
      assertThat(before).isLessThan(PLANS);

      // All that was proposed is there, and nobody runs it: two rounds of what might.
      TestService.await(() -> api.get("/v1/plans?limit=100").get("data").size() == PLANS);
      IntStream.range(0, DueIndex.SHARDS).forEach(stack.wiring().loop().executing().sweep()::sweep);
      api.make("/v1/halts", "{'scope':'tenant','reason':'and again'}");
      assertThat(arrivals).allMatch(arrival -> arrival - answered < 0);

      for (JsonNode one : api.get("/v1/halts?active=true").get("data")) {
        api.make("/v1/halts/" + one.get("id").textValue() + "/lift", "{'reason':'over'}");
      }
      assertThat(halt.get("lifted_at").isNull()).isTrue();
      TestService.await(
          () -> api.get("/v1/plans?status=executed&limit=100").get("data").size() == PLANS);
      assertThat(arrivals).hasSize(PLANS);
    } finally {
      upstream.stop(0);
    }
  }

  /** What takes its time between the decision to call and the first byte of the request. */
  private enum Slow {
    LOOKUP,
    HANDSHAKE,
    /** The intent to call is written before the halts are read. */
    STORE_WRITE,
    /** What was read of the halts is too old to go by when it comes. */
    STORE_READ
  }

  private static final Duration TAKES = Duration.ofSeconds(3);

  @ParameterizedTest
  @EnumSource(Slow.class)
  void noRequestBeginsAfterAHaltDespiteSlowPreparation(Slow slow) throws Exception {
    AtomicReference<@Nullable SlowStore> stores = new AtomicReference<>();
    UnaryOperator<Wiring> slowed =
        wiring -> {
          SlowStore store = stores.updateAndGet(was -> was == null ? SlowStore.of(wiring) : was);
          return Objects.requireNonNull(store).rewire(wiring);
        };
    String host = "source-" + slow.name().toLowerCase(Locale.ROOT).replace('_', '-') + ".example";
    SlowNames.Slow name = SlowNames.add(host, slow == Slow.LOOKUP ? TAKES : Duration.ZERO);
    try (TlsSource source = new TlsSource(host, slow == Slow.HANDSHAKE ? TAKES : Duration.ZERO);
        EmbeddedStack stack =
            EmbeddedStack.start(
                new EmbeddedStack.Options(
                    folder,
                    0,
                    Map.of(
                        "GOVERNANCE_EGRESS_ALLOW",
                        "127.0.0.1/32",
                        "GOVERNANCE_EGRESS_CA",
                        Certificates.writeAuthority(folder).toString()),
                    PerFunction.service(UnaryOperator.identity(), slowed),
                    line -> {}));
        ExecutorService agent = Executors.newSingleThreadExecutor()) {
      Api api = new Api(stack, stack.newTenant(UNHURRIED).keys().live());
      String connector = api.make("/v1/connectors", install(source.url())).get("id").textValue();
      String operator = api.make("/v1/operators", OPERATOR).get("id").textValue();
      CountDownLatch underWay = underWay(slow, name, source, stores);
      agent.execute(() -> api.make("/v1/operators/" + operator + "/plans", plan(connector, 1)));
      assertThat(underWay.await(20, TimeUnit.SECONDS)).isTrue();
      long asked = System.nanoTime();
      JsonNode halt = api.make("/v1/halts", "{'scope':'tenant','reason':'slow'}");
      long answered = System.nanoTime();
      // Longer than what is slow, and than what a request may still take its time for.
      TestService.await(() -> System.nanoTime() - answered > TAKES.plusSeconds(2).toNanos());
      assertThat(source.firstBytes()).allMatch(at -> at - answered <= SECOND);

      Objects.requireNonNull(stores.get()).quick();
      long lifted = System.nanoTime();
      api.make("/v1/halts/" + halt.get("id").textValue() + "/lift", "{'reason':'over'}");
      TestService.await(() -> api.get("/v1/plans?status=executed").get("data").size() == 1);
      assertThat(source.firstBytes()).hasSize(1);
      System.out.printf(
          "kill switch, %s of 3 s: halt answered after %d ms; first byte %d ms after that answer,"
              + " %d ms after the lift; %d connections%n",
          slow.name().toLowerCase(Locale.ROOT).replace('_', ' '),
          (answered - asked) / 1_000_000,
          (source.firstBytes().getFirst() - answered) / 1_000_000,
          (source.firstBytes().getFirst() - lifted) / 1_000_000,
          source.connections());
    }
  }

  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private static CountDownLatch underWay(
      Slow slow,
      SlowNames.Slow name,
      TlsSource source,
      AtomicReference<@Nullable SlowStore> store) {
    return switch (slow) {
      case LOOKUP -> name.asked();
      case HANDSHAKE -> source.connected();
      case STORE_WRITE -> Objects.requireNonNull(store.get()).slow("effect#", true, TAKES);
      case STORE_READ -> Objects.requireNonNull(store.get()).slow("halts", false, TAKES);
    };
  }

  private HttpServer upstream() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          if (exchange.getRequestMethod().equals("POST")) {
            arrivals.add(System.nanoTime());
            underWay.countDown();
          }
          byte[] body = "{\"id\":\"r1\"}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String install(HttpServer upstream) {
    return install("http://127.0.0.1:" + upstream.getAddress().getPort());
  }

  private static String install(String url) {
    return """
    {'listing_id':'cn-http','name':'shop','config':{'base_url':'%s',
     'tools':[{'name':'shop.ship','capability':'shop','tier':2,'input_schema':{'type':'object'},
               'request':{'method':'POST','path':'/ship'}}]}}"""
        .formatted(url);
  }

  private static final String OPERATOR =
      """
      {'name':'shipping','guardrails':[{'name':'ship','decision':'ALLOW','tool':'shop.ship'}]}""";

  private static String plan(String connector, int number) {
    return """
    {'actions':[{'connector':'%s','tool':'shop.ship','args':{},'entity_key':'order:%d',
                 'idempotency_key':'ship-%d'}]}"""
        .formatted(connector, number, number);
  }

  /** Requests of one tenant. JSON is written with single quotes. */
  private final class Api {
    private final EmbeddedStack stack;
    private final String key;

    Api(EmbeddedStack stack, String key) {
      this.stack = stack;
      this.key = key;
    }

    JsonNode get(String path) {
      return send(request(path).GET());
    }

    JsonNode make(String path, String body) {
      return send(
          request(path)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(body.replace('\'', '"'))));
    }

    private HttpRequest.Builder request(String path) {
      return HttpRequest.newBuilder(stack.baseUrl().resolve(path))
          .header("Authorization", "Bearer " + key);
    }

    private JsonNode send(HttpRequest.Builder request) {
      try {
        var response = client.send(request.build(), BodyHandlers.ofString());
        assertThat(List.of(200, 201)).as(response.body()).contains(response.statusCode());
        return Json.read(response.body());
      } catch (Exception e) {
        throw new AssertionError(e);
      }
    }
  }
}
