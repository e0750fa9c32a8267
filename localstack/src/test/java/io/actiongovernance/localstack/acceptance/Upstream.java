package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A source system: a real HTTP server that acts on what it is asked, remembers every call with its
 * times, and misbehaves when told to. A POST is an effect; it answers with an id of its own, {@code
 * {"id":"re_1","path":"/…","received":{…}}}. Thread-safe.
 */
final class Upstream implements AutoCloseable {
  private final String host;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger ids = new AtomicInteger();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Map<String, Deque<Behaviour>> scripts = new ConcurrentHashMap<>();
  private final Map<String, ObjectNode> answered = new ConcurrentHashMap<>();
  private final List<Gate> gates = new CopyOnWriteArrayList<>();
  private volatile boolean honoursKeys = true;
  private volatile Supplier<Duration> latency = () -> Duration.ZERO;

  /**
   * @param host what the service reaches this machine by; it listens on the loopback address only,
   *     if that is it
   */
  Upstream(String host) {
    this(host, 0);
  }

  /** The same at this port; 0 for a free one. */
  Upstream(String host, int port) {
    this.host = host;
    InetSocketAddress address =
        host.equals(Stack.HERE)
            ? new InetSocketAddress(InetAddress.getLoopbackAddress(), port)
            : new InetSocketAddress(port);
    try {
      server = HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /**
   * A call as it was seen.
   *
   * @param acted whether it was an effect; not if it failed, or its key had been seen before
   * @param began in nanoseconds of the JVM's clock
   * @param ended likewise, when the effect was done
   */
  record Seen(
      String method,
      String path,
      Map<String, List<String>> headers,
      JsonNode body,
      boolean acted,
      long began,
      long ended) {
    /** The value of a header, or an empty text. */
    String header(String name) {
      return headers.entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(header -> header.getValue().getFirst())
          .findFirst()
          .orElse("");
    }

    String idempotencyKey() {
      return header("Idempotency-Key");
    }
  }

  /** How one call is answered. */
  sealed interface Behaviour {
    /** Does not act and answers with an error. */
    record Fail(int status, String body, Map<String, String> headers) implements Behaviour {
      Fail(int status) {
        this(status, "", Map.of());
      }
    }

    /** Acts after a pause. */
    record Delay(Duration pause) implements Behaviour {}

    /** Acts when the gate is opened. */
    record Hold(Gate gate) implements Behaviour {}

    /** Acts and drops the connection before answering. */
    record ActAndDrop() implements Behaviour {}

    /** Acts and answers with exactly this. */
    record Reply(int status, String body) implements Behaviour {}
  }

  /** A place where calls stand until they are let through. */
  static final class Gate {
    private final CountDownLatch arrived = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Waits until a call stands at the gate. */
    void awaitCall() {
      await(arrived, "No call came to the gate.");
    }

    void open() {
      opened.countDown();
    }

    private void pass() {
      arrived.countDown();
      await(opened, "The gate was not opened.");
    }

    private static void await(CountDownLatch latch, String otherwise) {
      try {
        if (!latch.await(30, TimeUnit.SECONDS)) {
          throw new IllegalStateException(otherwise);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  String url() {
    return "http://" + host + ":" + server.getAddress().getPort();
  }

  /** Has the next calls of paths that begin so answered like this, one each. */
  Upstream next(String pathPrefix, Behaviour... behaviours) {
    Deque<Behaviour> script = scripts.computeIfAbsent(pathPrefix, prefix -> new ArrayDeque<>());
    synchronized (script) {
      script.addAll(List.of(behaviours));
    }
    return this;
  }

  /** Has calls of these paths answered as usual from now on. */
  void asUsual(String pathPrefix) {
    scripts.remove(pathPrefix);
  }

  /** Holds the next call of paths that begin so. */
  Gate hold(String pathPrefix) {
    Gate gate = new Gate();
    gates.add(gate);
    next(pathPrefix, new Behaviour.Hold(gate));
    return gate;
  }

  /** Whether a key that was seen before is answered as before without acting, as at first. */
  void honoursKeys(boolean honours) {
    honoursKeys = honours;
  }

  /** How long each call takes before it acts, for which nothing else is said. */
  void latency(Supplier<Duration> latency) {
    this.latency = latency;
  }

  /** All calls but tests of the connector, in the order in which they were answered. */
  List<Seen> calls() {
    return seen.stream().filter(call -> !call.path().equals("/")).toList();
  }

  /** Those of paths that begin so. */
  List<Seen> calls(String pathPrefix) {
    return calls().stream().filter(call -> call.path().startsWith(pathPrefix)).toList();
  }

  /** Those that were effects, in the order in which they began. */
  List<Seen> effects() {
    return calls().stream()
        .filter(Seen::acted)
        .sorted(Comparator.comparingLong(Seen::began))
        .toList();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      long began = System.nanoTime();
      byte[] sent = exchange.getRequestBody().readAllBytes();
      Behaviour behaviour = nextFor(exchange.getRequestURI().toString());
      switch (behaviour) {
        case null -> {
          sleep(latency.get());
          actAndAnswer(exchange, sent, began);
        }
        case Behaviour.Delay(Duration pause) -> {
          sleep(pause);
          actAndAnswer(exchange, sent, began);
        }
        case Behaviour.Hold(Gate gate) -> {
          gate.pass();
          actAndAnswer(exchange, sent, began);
        }
        case Behaviour.ActAndDrop _ -> act(exchange, sent, began);
        case Behaviour.Reply(int status, String body) -> {
          act(exchange, sent, began);
          answer(exchange, status, body);
        }
        case Behaviour.Fail fail -> {
          record(exchange, sent, false, began);
          fail.headers().forEach(exchange.getResponseHeaders()::add);
          answer(exchange, fail.status(), fail.body());
        }
      }
    }
  }

  private @Nullable Behaviour nextFor(String path) {
    for (Map.Entry<String, Deque<Behaviour>> script : scripts.entrySet()) {
      synchronized (script.getValue()) {
        if (path.startsWith(script.getKey()) && !script.getValue().isEmpty()) {
          return script.getValue().poll();
        }
      }
    }
    return null;
  }

  private void actAndAnswer(HttpExchange exchange, byte[] sent, long began) throws IOException {
    answer(exchange, 200, Json.write(act(exchange, sent, began)));
  }

  private ObjectNode act(HttpExchange exchange, byte[] sent, long began) {
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    ObjectNode before = key == null || !honoursKeys ? null : answered.get(key);
    boolean acts = before == null && exchange.getRequestMethod().equals("POST");
    ObjectNode result =
        before != null
            ? before
            : Json.object()
                .put("id", "re_" + ids.incrementAndGet())
                .put("path", exchange.getRequestURI().toString())
                .set("received", body(exchange, sent));
    if (acts && key != null) {
      answered.put(key, result);
    }
    record(exchange, sent, acts, began);
    return result;
  }

  private void record(HttpExchange exchange, byte[] sent, boolean acted, long began) {
    seen.add(
        new Seen(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            Map.copyOf(exchange.getRequestHeaders()),
            body(exchange, sent),
            acted,
            began,
            System.nanoTime()));
  }

  /** The body's JSON; of a form its text. */
  private static JsonNode body(HttpExchange exchange, byte[] sent) {
    String text = new String(sent, StandardCharsets.UTF_8);
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    if (type != null && type.startsWith("application/x-www-form-urlencoded")) {
      return TextNode.valueOf(text);
    }
    return text.isEmpty() ? Json.object() : Json.read(text);
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static void sleep(Duration pause) {
    try {
      TimeUnit.NANOSECONDS.sleep(pause.toNanos());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    gates.forEach(Gate::open);
    server.stop(0);
    threads.shutdownNow();
  }
}
