package io.actiongovernance.localstack.acceptance.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import com.stripe.net.Webhook.Signature;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.client.Api.Refused;
import io.actiongovernance.localstack.listen.Listener;
import io.actiongovernance.webhook.SigningSecret;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Deliveries without an endpoint: made of what the API lists, signed as the service signs. */
@Acceptance
final class ListenSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);

  /**
   * A program on a developer's machine that takes deliveries, and may be told to answer otherwise.
   */
  private static final class Program implements AutoCloseable {
    private final List<Receiver.Received> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();
    private final HttpServer server;

    Program(int port) throws Exception {
      server = HttpServer.create(loopback(port), 0);
      server.createContext(
          "/hook",
          exchange -> {
            Map<String, String> headers = new HashMap<>();
            exchange
                .getRequestHeaders()
                .forEach(
                    (name, values) ->
                        headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
            String body =
                new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            received.add(new Receiver.Received("/hook", headers, body, System.nanoTime()));
            boolean fails = failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
            exchange.sendResponseHeaders(fails ? 500 : 204, -1);
            exchange.close();
          });
      server.start();
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/hook?x=1");
    }

    /** What it was told of an object, by type; waits for it. */
    Receiver.Received await(String type, String id) {
      return Await.until(LONGEST, () -> of(type, id), found -> !found.isEmpty()).getFirst();
    }

    List<Receiver.Received> of(String type, String id) {
      return received.stream()
          .filter(
              each ->
                  each.json().path("type").asText().equals(type)
                      && each.json().at("/data/id").asText().equals(id))
          .toList();
    }

    void stop() {
      server.stop(0);
    }

    @Override
    public void close() {
      stop();
    }
  }

  private static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  /** A listener at work. */
  private static final class Listening implements AutoCloseable {
    private final List<Listener.Attempt> attempts = new CopyOnWriteArrayList<>();
    private final List<String> said = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final SigningSecret secret = SigningSecret.next(new SecureRandom());

    Listening(URI service, String key, URI target, Instant since) {
      Listener listener =
          new Listener(
              new io.actiongovernance.localstack.client.Api(service, key),
              new Listener.Options(Listener.TYPES, target, secret, since),
              new Listener.Reports() {
                @Override
                public void attempted(Listener.Attempt attempt) {
                  attempts.add(attempt);
                }

                @Override
                public void say(String line) {
                  said.add(line);
                }
              },
              InstantSource.system());
      thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      listener.listen();
                    } catch (Refused e) {
                      said.add("refused: " + e.code());
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    @Override
    public void close() {
      thread.interrupt();
      Await.until(LONGEST, thread::isAlive, alive -> !alive);
    }
  }

  private static Listening listen(Given given, Program program) throws Exception {
    String key = Objects.requireNonNull(given.api().key());
    URI url = given.api().baseUrl();
    Instant now = new io.actiongovernance.localstack.client.Api(url, key).time();
    return new Listening(url, key, program.url(), now);
  }

  private static Operator desk(Given given) {
    return given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
  }

  @Test
  void listenDeliversOutcomesAsTheServiceWould(Given given) throws Exception {
    Operator operator = desk(given);
    try (Program program = new Program(0);
        Listening listening = listen(given, program)) {
      Operator.Plan plan = operator.propose(operator.refund("ch-1"), operator.note("charge:ch-1"));
      Receiver.Received proposed = program.await("plan.proposed", plan.id());
      Receiver.Received needs = program.await("action.needs_approval", plan.actionId(0));
      assertThat(program.of("action.needs_approval", plan.actionId(1))).isEmpty();
      plan.approve();
      program.await("action.disposed", plan.actionId(0));
      program.await("action.disposed", plan.actionId(1));
      Receiver.Received disposed = program.await("plan.disposed", plan.id());
      assertThat(proposed.json().path("data")).isEqualTo(plan.json());
      assertThat(disposed.json().at("/data/status").asText()).isEqualTo("executed");
      assertThat(needs.json().at("/data/object").asText()).isEqualTo("action");
      for (Receiver.Received each : program.received) {
        assertSigned(each, listening.secret);
        given.api().published().check(each);
      }
      assertThat(program.received.stream().map(each -> each.json().path("id").asText()))
          .doesNotHaveDuplicates();
    }
  }

  /** Both families of signatures, checked by the libraries that {@code docs/webhooks.md} names. */
  private static void assertSigned(Receiver.Received received, SigningSecret secret)
      throws Exception {
    assertThat(
            Signature.verifyHeader(
                received.body(), received.header("Service-Signature"), secret.text(), 300))
        .isTrue();
    Map<String, List<String>> headers = new HashMap<>();
    for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
      headers.put(name, List.of(received.header(name)));
    }
    new Webhook(secret.text()).verify(received.body(), HttpHeaders.of(headers, (a, b) -> true));
    assertThat(received.header("webhook-id")).isEqualTo(received.json().path("id").asText());
  }

  @Test
  void vetoedAndExpiredPlansAreDeliveredAsDisposed(Given given) throws Exception {
    Operator hasty =
        given.operatorWith(Json.object().put("plan_ttl_seconds", 5), Given.alert(Given.REFUND));
    Operator patient = given.operator(Given.alert(Given.REFUND));
    try (Program program = new Program(0);
        Listening listening = listen(given, program)) {
      Operator.Plan expires = hasty.propose(hasty.refund("ch-1"));
      Operator.Plan vetoed = patient.propose(patient.refund("ch-2"));
      vetoed.tryVeto("No.").is(200);
      assertThat(program.await("plan.disposed", vetoed.id()).json().at("/data/status").asText())
          .isEqualTo("vetoed");
      Receiver.Received expired =
          Await.until(
                  Duration.ofMinutes(2),
                  () -> program.of("plan.disposed", expires.id()),
                  found -> !found.isEmpty())
              .getFirst();
      assertThat(expired.json().at("/data/status").asText()).isEqualTo("expired");
      assertThat(listening.said).isEmpty();
    }
  }

  @Test
  void aDeliveryKeepsItsIdInALaterRunOfListen(Given given) throws Exception {
    Operator operator = desk(given);
    Instant before =
        new io.actiongovernance.localstack.client.Api(
                given.api().baseUrl(), Objects.requireNonNull(given.api().key()))
            .time();
    Operator.Plan plan = operator.propose(operator.note("charge:again"));
    plan.await("executed");
    String key = Objects.requireNonNull(given.api().key());
    try (Program program = new Program(0)) {
      for (int times = 1; times <= 2; times++) {
        int wanted = times;
        try (Listening again = new Listening(given.api().baseUrl(), key, program.url(), before)) {
          Await.until(
              LONGEST,
              () -> program.of("plan.disposed", plan.id()),
              found -> found.size() == wanted);
          assertThat(again.said).isEmpty();
        }
      }
      assertThat(
              program.of("plan.disposed", plan.id()).stream()
                  .map(each -> each.json().path("id").asText())
                  .distinct())
          .hasSize(1);
    }
  }

  @Test
  void listenRetriesAFailedDeliveryAndWaitsForAnAbsentProgram(Given given) throws Exception {
    Operator operator = desk(given);
    int port;
    Operator.Plan plan;
    try (Program program = new Program(0)) {
      port = program.server.getAddress().getPort();
      program.failures.set(2);
      try (Listening listening = listen(given, program)) {
        plan = operator.propose(operator.refund("ch-1"));
        Await.until(
            LONGEST, () -> program.of("plan.proposed", plan.id()), found -> found.size() == 3);
        assertThat(
                program.of("plan.proposed", plan.id()).stream()
                    .map(each -> each.json().path("attempt").asInt()))
            .containsExactly(1, 2, 3);
        program.await("action.needs_approval", plan.actionId(0));
        program.stop();
        plan.approve();
        Await.until(
            LONGEST, () -> listening.said, said -> said.toString().contains("Nothing answers at"));
        try (Program restarted = new Program(port)) {
          restarted.await("action.disposed", plan.actionId(0));
          restarted.await("plan.disposed", plan.id());
        }
      }
    }
  }

  /** Stands before the service, and can go away and come back at the same address. */
  private static HttpServer front(URI service, int port) throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    HttpServer server = HttpServer.create(loopback(port), 0);
    server.createContext(
        "/",
        exchange -> {
          try {
            HttpResponse<byte[]> answer =
                client.send(
                    HttpRequest.newBuilder(
                            URI.create(service + exchange.getRequestURI().toString()))
                        .header(
                            "Authorization", exchange.getRequestHeaders().getFirst("Authorization"))
                        .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length);
            exchange.getResponseBody().write(answer.body());
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } finally {
            exchange.close();
          }
        });
    server.start();
    return server;
  }

  @Test
  void outcomesDuringAnOutageAreDeliveredOnceAfterwards(Given given) throws Exception {
    Operator operator = desk(given);
    URI service = given.api().baseUrl();
    HttpServer front = front(service, 0);
    int port = front.getAddress().getPort();
    String key = Objects.requireNonNull(given.api().key());
    Instant now = new io.actiongovernance.localstack.client.Api(service, key).time();
    try (Program program = new Program(0);
        Listening listening =
            new Listening(URI.create("http://127.0.0.1:" + port), key, program.url(), now)) {
      Operator.Plan before = operator.propose(operator.refund("ch-1"));
      program.await("action.needs_approval", before.actionId(0));
      front.stop(0);
      before.approve();
      Operator.Plan meanwhile = operator.propose(operator.note("charge:meanwhile"));
      meanwhile.await("executed");
      Await.until(
          LONGEST, () -> listening.said, said -> said.toString().contains("No connection to"));
      front = front(service, port);
      for (Operator.Plan plan : List.of(before, meanwhile)) {
        program.await("plan.disposed", plan.id());
        program.await("action.disposed", plan.actionId(0));
        for (String type : List.of("plan.proposed", "plan.disposed")) {
          assertThat(program.of(type, plan.id())).hasSize(1);
        }
      }
    } finally {
      front.stop(0);
    }
  }

  @Test
  void aRefusedKeyEndsListen(Given given) throws Exception {
    try (Program program = new Program(0);
        Listening listening =
            new Listening(given.api().baseUrl(), "sk_live_nobodys", program.url(), Instant.now())) {
      Await.until(LONGEST, () -> listening.said, said -> !said.isEmpty());
      assertThat(listening.said).containsExactly("refused: key_invalid");
    }
  }
}
