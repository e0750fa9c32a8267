package io.actiongovernance.localstack.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.localstack.aws.Aws;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The side of Lambda in its Runtime API, for the process of one function: hands out invocations,
 * and takes their answers. Thread-safe.
 */
final class RuntimeApi implements AutoCloseable {
  private static final String PREFIX = "/2018-06-01/runtime";

  private final HttpServer server;
  private final String functionArn;
  private final BlockingQueue<Invocation> waiting = new LinkedBlockingQueue<>();
  private final Map<String, Invocation> underWay = new ConcurrentHashMap<>();
  private final CompletableFuture<Long> ready = new CompletableFuture<>();

  /** Why nothing is answered any more, once its process has ended. */
  private volatile @Nullable FunctionFailed failure;

  @SuppressWarnings("ArrayRecordComponent") // The bytes are read once and never changed.
  private record Invocation(
      String id, byte[] event, Instant deadline, OutputStream out, CompletableFuture<Void> done) {}

  RuntimeApi(String function) throws IOException {
    this.functionArn = Aws.arn("lambda", "function:" + function);
    this.server = HttpServer.create(new InetSocketAddress(Aws.LOOPBACK, 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(PREFIX, this::serve);
    server.start();
  }

  /** As {@code AWS_LAMBDA_RUNTIME_API} has it. */
  String address() {
    return Aws.LOOPBACK + ":" + server.getAddress().getPort();
  }

  /**
   * When the function was first ready for an invocation, by {@link System#nanoTime()}; fails when
   * its initialisation did.
   */
  CompletableFuture<Long> ready() {
    return ready;
  }

  /** Has the function answer the event; done when its answer has been written. */
  CompletableFuture<Void> invoke(byte[] event, Duration timeout, OutputStream out) {
    Invocation invocation =
        new Invocation(
            UUID.randomUUID().toString(),
            event,
            Instant.now().plus(timeout),
            out,
            new CompletableFuture<>());
    var unused =
        ready.whenComplete(
            (at, notMade) -> {
              if (notMade == null) {
                waiting.add(invocation);
                failIfEnded();
              } else {
                invocation.done().completeExceptionally(notMade);
              }
            });
    return invocation.done();
  }

  /** Fails whatever waits for the function, now or later, since its process has ended. */
  void ended(String why) {
    FunctionFailed now = new FunctionFailed(why);
    failure = now;
    ready.completeExceptionally(now);
    failIfEnded();
  }

  /** Called after an invocation is queued, so that none is forgotten there. */
  private void failIfEnded() {
    FunctionFailed why = failure;
    if (why != null) {
      underWay.values().forEach(one -> one.done().completeExceptionally(why));
      waiting.forEach(one -> one.done().completeExceptionally(why));
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath().substring(PREFIX.length());
    try (exchange) {
      switch (path) {
        case "/invocation/next" -> next(exchange);
        // What was kept as a snapshot is restored at once.
        case "/restore/next" -> exchange.sendResponseHeaders(200, -1);
        case "/init/error", "/restore/error" -> {
          ended("It could not be made: " + body(exchange));
          exchange.sendResponseHeaders(202, -1);
        }
        default -> said(exchange, path);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void next(HttpExchange exchange) throws IOException, InterruptedException {
    ready.complete(System.nanoTime());
    Invocation next = waiting.take();
    underWay.put(next.id(), next);
    failIfEnded();
    var headers = exchange.getResponseHeaders();
    headers.set("Lambda-Runtime-Aws-Request-Id", next.id());
    headers.set("Lambda-Runtime-Deadline-Ms", "" + next.deadline().toEpochMilli());
    headers.set("Lambda-Runtime-Invoked-Function-Arn", functionArn);
    headers.set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, next.event().length);
    exchange.getResponseBody().write(next.event());
  }

  private void said(HttpExchange exchange, String path) throws IOException {
    String[] parts = path.split("/"); // "", "invocation", its id, what is said
    Invocation invocation = parts.length == 4 ? underWay.remove(parts[2]) : null;
    if (invocation == null) {
      exchange.sendResponseHeaders(404, -1);
      return;
    }
    if (parts[3].equals("response")) {
      try {
        copy(exchange.getRequestBody(), invocation.out());
        invocation.done().complete(null);
      } catch (IOException e) {
        invocation.done().completeExceptionally(e);
        throw e;
      }
    } else {
      invocation.done().completeExceptionally(new FunctionFailed("It failed: " + body(exchange)));
    }
    exchange.sendResponseHeaders(202, -1);
  }

  /** What comes is passed on at once. */
  private static void copy(InputStream in, OutputStream out) throws IOException {
    byte[] buffer = new byte[8192];
    for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
      out.write(buffer, 0, count);
      out.flush();
    }
  }

  private static String body(HttpExchange exchange) throws IOException {
    return new String(exchange.getRequestBody().readAllBytes(), UTF_8);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
