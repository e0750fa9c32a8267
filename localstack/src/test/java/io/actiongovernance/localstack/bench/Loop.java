package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Folders;
import io.actiongovernance.localstack.NewTenant;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A stack with one tenant, a connector to an upstream that answers at once, and an operator whose
 * guardrails run notes and hold refunds. Thread-safe.
 */
final class Loop implements AutoCloseable {
  private static final int HIGH = 1_000_000;
  private static final String NOTE =
      """
      {"name":"desk.note.add","capability":"desk","tier":1,"description":"Adds a note.",
       "input_schema":{"type":"object"},"retry_safe":true,"reference":"/id",
       "request":{"method":"POST","path":"/notes"}}
      """;

  private final Path data;
  private final HttpServer upstream;
  private final EmbeddedStack stack;
  private final String key;
  private final HttpClient http = HttpClient.newHttpClient();

  Loop(Service service) throws Exception {
    data = Files.createTempDirectory("bench");
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    byte[] answer = "{\"id\":\"note_1\"}".getBytes(StandardCharsets.UTF_8);
    upstream.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    upstream.start();
    stack =
        EmbeddedStack.start(
            new EmbeddedStack.Options(
                data, 0, Map.of("GOVERNANCE_EGRESS_ALLOW", "127.0.0.0/8"), service, line -> {}));
    Map<String, Integer> limits = new HashMap<>();
    for (String name :
        List.of("events", "ingest", "operators", "connectors", "plans", "receipts", "management")) {
      limits.put(name + ".read", HIGH);
      limits.put(name + ".write", HIGH);
    }
    limits.put("global.read", HIGH);
    key = stack.newTenant(new NewTenant("bench", null, 1_000_000_000L, null, limits)).keys().live();
    String connector =
        id(
            post(
                "/v1/connectors",
                """
                {"listing_id":"cn-http","name":"upstream","config":{"base_url":"http://127.0.0.1:%d",
                 "requests_per_minute":60000,"tools":[%s]}}
                """
                    .formatted(upstream.getAddress().getPort(), NOTE)));
    post(
        "/v1/operators",
        """
                {"name":"desk","triggers":{"event_types":["note.wanted","note.considered"]},
                 "guardrails":[
                  {"name":"notes","decision":"ALLOW","tool":"desk.note.add","conditions":{"max_value":10}},
                  {"name":"large-notes","decision":"ALERT","tool":"desk.note.add","conditions":{"min_value":11}}],
                 "model":{"provider":"scripted","plans":[
                  {"event_type":"note.wanted","actions":[{"connector":"%1$s","tool":"desk.note.add",
                    "args":{"text":"{{payload.text}}"},"value":1,"entity_key":"{{payload.entity}}"}]},
                  {"event_type":"note.considered","actions":[{"connector":"%1$s","tool":"desk.note.add",
                    "args":{"text":"{{payload.text}}"},"value":20,"entity_key":"{{payload.entity}}"}]}]}}
                """
            .formatted(connector));
  }

  /** Ingests an event that leads to a plan of one action, which is allowed; answers with its id. */
  String ingestAllowed(String entity, String text) throws Exception {
    return ingest("note.wanted", entity, text);
  }

  /** The same, but the plan is held. */
  String ingestHeld(String entity, String text) throws Exception {
    return ingest("note.considered", entity, text);
  }

  private String ingest(String type, String entity, String text) throws Exception {
    return id(
        post(
            "/v1/events",
            """
            {"source":"bench","event_type":"%s","payload":{"entity":"%s","text":"%s"}}
            """
                .formatted(type, entity, text)));
  }

  JsonNode get(String path) throws Exception {
    return send(request(path).build());
  }

  JsonNode post(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(stack.baseUrl().resolve(path))
        .header("Authorization", "Bearer " + key);
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(
          request.uri() + " answered " + response.statusCode() + " " + response.body());
    }
    return Json.read(response.body());
  }

  private static String id(JsonNode object) {
    return object.path("id").textValue();
  }

  /** The plan of the event that has this status, or null while there is none. */
  @Nullable String plan(String event, String status) throws Exception {
    JsonNode plans = get("/v1/plans?event_id=" + event + "&status=" + status).path("data");
    return plans.isEmpty() ? null : plans.path(0).path("id").textValue();
  }

  /** The same, once there is one. */
  String awaitPlan(String event, String status) throws Exception {
    String plan = plan(event, status);
    while (plan == null) {
      TimeUnit.MILLISECONDS.sleep(20);
      plan = plan(event, status);
    }
    return plan;
  }

  /** How many actions have applied. */
  long applied() throws Exception {
    return get("/v1/allowance").path("used_actions").asLong();
  }

  /** What the functions keep their state in. */
  Store store() {
    return stack.wiring().store();
  }

  SqsClient sqs() {
    return stack.wiring().clients().sqs();
  }

  @Override
  public void close() throws IOException {
    http.close();
    stack.close();
    upstream.stop(0);
    Folders.delete(data);
  }
}
