package io.actiongovernance.functions.upstream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A source system on the loopback: answers as scripted, and remembers what it was asked. */
public final class Upstream implements AutoCloseable {
  public final List<Seen> seen = new CopyOnWriteArrayList<>();
  private final Queue<Answering> script = new ArrayDeque<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer server;

  public Upstream() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  public record Seen(String method, String path, Map<String, List<String>> headers, String body) {
    public String header(String name) {
      return headers.getOrDefault(name, List.of("")).getFirst();
    }
  }

  @FunctionalInterface
  public interface Answering {
    void to(HttpExchange exchange) throws IOException;
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  URI uri(String path) {
    return URI.create(url() + path);
  }

  /** What comes next; the last is repeated. */
  public Upstream then(Answering answer) {
    script.add(answer);
    return this;
  }

  public static Answering answer(int status, String body, String... headers) {
    return answer(status, body.getBytes(StandardCharsets.UTF_8), headers);
  }

  /** The same in these bytes. */
  public static Answering answer(int status, byte[] bytes, String... headers) {
    return exchange -> {
      for (int at = 0; at < headers.length; at += 2) {
        exchange.getResponseHeaders().add(headers[at], headers[at + 1]);
      }
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    };
  }

  /** Reads the request and drops the connection. */
  public static Answering drop() {
    return HttpExchange::close;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Answering next;
      synchronized (script) {
        seen.add(
            new Seen(
                exchange.getRequestMethod(),
                exchange.getRequestURI().toString(),
                Map.copyOf(exchange.getRequestHeaders()),
                body));
        next = script.size() > 1 ? script.remove() : script.element();
      }
      next.to(exchange);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
