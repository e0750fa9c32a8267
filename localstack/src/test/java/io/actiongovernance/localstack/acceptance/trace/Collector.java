package io.actiongovernance.localstack.acceptance.trace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A collector of spans: it reads what is posted by OpenTelemetry's own definition of OTLP, unknown
 * names refused, and answers as it is told. Thread-safe.
 */
final class Collector implements AutoCloseable {
  private static final Map<String, Integer> IDS =
      Map.of("traceId", 16, "spanId", 8, "parentSpanId", 8);

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Deque<Told> script = new ArrayDeque<>();
  private final List<Posted> posts = new CopyOnWriteArrayList<>();

  Collector(int port) {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** How one post is answered. */
  record Told(int status, Map<String, String> headers, String body) {}

  /** A post, and how it was answered. */
  record Posted(String path, String contentType, List<Span> spans, int status) {}

  int port() {
    return server.getAddress().getPort();
  }

  String url() {
    return "http://127.0.0.1:" + port();
  }

  /** Has the next posts answered like this, one each. */
  void next(Told... answers) {
    synchronized (script) {
      script.addAll(List.of(answers));
    }
  }

  List<Posted> posts() {
    return posts;
  }

  /** The spans that it took, each time that it did, of a plan. */
  List<Span> taken(String plan) {
    return spans(plan, true);
  }

  /** Those that it did not take, likewise. */
  List<Span> refused(String plan) {
    return spans(plan, false);
  }

  private List<Span> spans(String plan, boolean taken) {
    return posts.stream()
        .filter(post -> post.status() == 200 == taken)
        .flatMap(post -> post.spans().stream())
        .filter(span -> attribute(span, "governance.plan_id").getStringValue().equals(plan))
        .toList();
  }

  static AnyValue attribute(Span span, String name) {
    return span.getAttributesList().stream()
        .filter(one -> one.getKey().equals(name))
        .findFirst()
        .map(KeyValue::getValue)
        .orElse(AnyValue.getDefaultInstance());
  }

  private void handle(HttpExchange exchange) throws IOException {
    Told told;
    synchronized (script) {
      told = script.isEmpty() ? new Told(200, Map.of(), "{}") : script.removeFirst();
    }
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    posts.add(
        new Posted(
            exchange.getRequestURI().getPath(),
            exchange.getRequestHeaders().getFirst("Content-Type"),
            read(body),
            told.status()));
    told.headers().forEach(exchange.getResponseHeaders()::set);
    byte[] answer = told.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(told.status(), answer.length == 0 ? -1 : answer.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(answer);
    }
  }

  private static List<Span> read(String body) {
    ExportTraceServiceRequest.Builder request = ExportTraceServiceRequest.newBuilder();
    try {
      JsonFormat.parser().merge(Json.write(inBase64(Json.read(body))), request);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException("This is no OTLP: " + body, e);
    }
    return request.getResourceSpansList().stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  /** OTLP has ids in hex, where the mapping that it else follows has base64. */
  private static JsonNode inBase64(JsonNode node) {
    if (node instanceof ArrayNode array) {
      array.forEach(Collector::inBase64);
    } else if (node instanceof ObjectNode object) {
      IDS.forEach(
          (name, length) -> {
            if (object.has(name)) {
              byte[] id = HexFormat.of().parseHex(object.path(name).asText());
              if (id.length != length) {
                throw new IllegalArgumentException(name + " has " + id.length + " bytes.");
              }
              object.put(name, Base64.getEncoder().encodeToString(id));
            }
          });
      object.forEach(Collector::inBase64);
    }
    return node;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
