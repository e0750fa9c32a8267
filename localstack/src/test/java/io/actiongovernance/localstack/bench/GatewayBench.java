package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.functions.mcp.McpRoutes;
import io.actiongovernance.localstack.PerFunction;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;

/**
 * What a governed read over the MCP gateway takes beside the same read made straight at the source
 * system, and how many requests to tables and queues there are from the call to its answer.
 */
final class GatewayBench {
  private static final int WARM = 30;
  private static final int TIMES = 100;
  private static final int MOST = 20;
  private static final Set<String> IN_THE_WAY =
      Set.of(McpRoutes.SEND_MESSAGE.operation(), "execute-action");

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

  private GatewayBench() {}

  static List<Figures> run() throws Exception {
    HttpServer upstream =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    byte[] order = "{\"id\":\"1\",\"total\":\"42.00\"}".getBytes(StandardCharsets.UTF_8);
    upstream.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, order.length);
            exchange.getResponseBody().write(order);
          }
        });
    upstream.start();
    Meter meter = new Meter();
    try (OwnStack stack = new OwnStack(PerFunction.service(meter), Map.of())) {
      return measured(stack.newTenant("bench"), upstream.getAddress().getPort(), meter);
    } finally {
      upstream.stop(0);
    }
  }

  private static List<Figures> measured(Tenant admin, int port, Meter meter) throws Exception {
    admin.post("/v1/connectors", CONNECTOR.formatted(port));
    String path =
        "/v1/operators/"
            + Tenant.id(admin.post("/v1/operators", "{\"name\":\"desk\",\"guardrails\":[]}"))
            + "/mcp";
    List<Double> governed = new ArrayList<>();
    List<Double> straight = new ArrayList<>();
    List<Double> requests = new ArrayList<>();
    Map<String, Integer> kinds = new TreeMap<>();
    Tenant agent = agent(admin);
    for (int at = 0; at < WARM + TIMES; at++) {
      // A key may call so often a minute, and no more.
      if (at % TIMES == TIMES - 1) {
        agent = agent(admin);
      }
      HttpRequest bare =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/orders/" + at)).build();
      long began = System.nanoTime();
      admin.http().send(bare, BodyHandlers.ofString());
      double alone = (System.nanoTime() - began) / 1e6;
      meter.reset();
      began = System.nanoTime();
      JsonNode answer = agent.post(path, CALL.formatted(at));
      double answered = (System.nanoTime() - began) / 1e6;
      List<Meter.Use> uses =
          meter.uses().stream().filter(use -> IN_THE_WAY.contains(use.function())).toList();
      if (!answer.at("/result/structuredContent/total").asText().equals("42.00")) {
        throw new IllegalStateException("The read was answered " + answer);
      }
      if (at >= WARM) {
        straight.add(alone);
        governed.add(answered);
        requests.add((double) uses.size());
        uses.forEach(
            use ->
                kinds.merge(
                    use.function() + " " + use.service() + " " + use.operation(), 1, Integer::sum));
      }
    }
    Percentiles through = new Percentiles(governed);
    Percentiles beside = new Percentiles(straight);
    Percentiles count = new Percentiles(requests);
    Figures counted =
        new Figures("requests to tables and queues of a governed read", "requests", "p50", "p99")
            .row("from the call to its answer", count.at(50), count.at(99))
            .row("at most", MOST, MOST);
    kinds.forEach((kind, times) -> counted.note(kind + ": " + times / (double) TIMES));
    return List.of(
        new Figures("read over the MCP gateway", "milliseconds", "p50", "p99")
            .row("governed", through.at(50), through.at(99))
            .row("straight at the source system", beside.at(50), beside.at(99)),
        counted);
  }

  private static Tenant agent(Tenant admin) throws Exception {
    return admin.as(
        admin
            .post("/v1/keys", "{\"name\":\"a%d\",\"role\":\"agent\"}".formatted(System.nanoTime()))
            .path("secret")
            .textValue());
  }
}
