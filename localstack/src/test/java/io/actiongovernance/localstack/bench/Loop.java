package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * A stack with one tenant, a connector to an upstream that answers at once, and an operator whose
 * guardrails run notes and hold refunds. Thread-safe.
 */
final class Loop implements AutoCloseable {
  private static final String NOTE =
      """
      {"name":"desk.note.add","capability":"desk","tier":1,"description":"Adds a note.",
       "input_schema":{"type":"object"},"retry_safe":true,"reference":"/id",
       "request":{"method":"POST","path":"/notes"}}
      """;

  private final HttpServer upstream;
  private final Semaphore calls = new Semaphore(0);
  private final OwnStack stack;
  private final Tenant tenant;

  Loop(Service service) throws Exception {
    this(service, Map.of());
  }

  /**
   * @param settings beside those of {@link OwnStack}
   */
  Loop(Service service, Map<String, String> settings) throws Exception {
    this(service, settings, "null");
  }

  /**
   * @param credentials of the connector
   */
  Loop(Service service, Map<String, String> settings, String credentials) throws Exception {
    upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    byte[] answer = "{\"id\":\"note_1\"}".getBytes(StandardCharsets.UTF_8);
    upstream.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            calls.release();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
          }
        });
    upstream.start();
    stack = new OwnStack(service, settings);
    tenant = stack.newTenant("bench");
    String connector =
        Tenant.id(
            post(
                "/v1/connectors",
                """
                {"listing_id":"cn-http","name":"upstream","credentials":%s,
                 "config":{"base_url":"http://127.0.0.1:%d","requests_per_minute":60000,"tools":[%s]}}
                """
                    .formatted(credentials, upstream.getAddress().getPort(), NOTE)));
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

  /** Ingests an event; answers with its id. */
  String ingest(String type, String entity, String text) throws Exception {
    return Tenant.id(
        post(
            "/v1/events",
            """
            {"source":"bench","event_type":"%s","payload":{"entity":"%s","text":"%s"}}
            """
                .formatted(type, entity, text)));
  }

  JsonNode get(String path) throws Exception {
    return tenant.get(path);
  }

  JsonNode post(String path, String body) throws Exception {
    return tenant.post(path, body);
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

  /** Takes note of a call that the upstream has had, or has: each counts once. */
  void awaitCall() throws InterruptedException {
    calls.acquire();
  }

  /** How many actions have applied. */
  long applied() throws Exception {
    return get("/v1/allowance").path("used_actions").asLong();
  }

  Tenant tenant() {
    return tenant;
  }

  /** What the functions are made with. */
  Wiring wiring() {
    return stack.wiring();
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
    stack.close();
    upstream.stop(0);
  }
}
