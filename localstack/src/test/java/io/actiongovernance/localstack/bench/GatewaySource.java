package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A source system whose orders are read, straight and over the MCP gateway. Thread-safe. */
final class GatewaySource implements AutoCloseable {
  private static final String CONNECTOR =
      """
      {"listing_id":"cn-http","name":"shop","config":{"base_url":"http://127.0.0.1:%d",
       "requests_per_minute":60000,"tools":[
       {"name":"shop.order.read","capability":"shop","tier":0,"description":"Reads an order.",
        "input_schema":{"type":"object"},"request":{"method":"GET","path":"/orders/{{args.id}}"}}]}}""";

  private static final String CALL =
      """
      {"jsonrpc":"2.0","id":%1$d,"method":"tools/call","params":{"name":"shop_order_read",
       "arguments":{"id":"%1$d"}}}""";

  private final HttpServer server;
  private volatile long silentUntil = System.nanoTime();

  GatewaySource() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    byte[] order = "{\"id\":\"1\",\"total\":\"42.00\"}".getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            awaitAnswer();
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, order.length);
            exchange.getResponseBody().write(order);
          }
        });
    server.start();
  }

  /** Answers nobody for so long. */
  void hold(Duration silent) {
    silentUntil = System.nanoTime() + silent.toNanos();
  }

  private void awaitAnswer() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(silentUntil - System.nanoTime());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    }
  }

  /** Reads an order without the service. */
  void readStraight(Tenant by, int order) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/orders/" + order);
    by.http().send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  /** Installs it for a tenant, with an operator that may read. */
  Desk desk(Tenant admin) throws IOException, InterruptedException {
    admin.post("/v1/connectors", CONNECTOR.formatted(server.getAddress().getPort()));
    JsonNode operator = admin.post("/v1/operators", "{\"name\":\"desk\",\"guardrails\":[]}");
    return new Desk(admin, "/v1/operators/" + Tenant.id(operator) + "/mcp");
  }

  /** An operator's MCP gateway. */
  record Desk(Tenant admin, String path) {
    JsonNode read(Tenant agent, int order) throws IOException, InterruptedException {
      return agent.post(path, CALL.formatted(order));
    }

    /** So many agents, each with a key of its own. */
    List<Tenant> agents(int number) throws IOException, InterruptedException {
      List<Tenant> agents = new ArrayList<>();
      for (int at = 0; at < number; at++) {
        String body = "{\"name\":\"a%d\",\"role\":\"agent\"}".formatted(System.nanoTime());
        agents.add(admin.as(admin.post("/v1/keys", body).path("secret").textValue()));
      }
      return agents;
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
