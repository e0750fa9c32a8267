package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An operator's MCP gateway as plain requests see it, in both eras. Thread-safe.
 *
 * @param capabilities what the client of 2026-07-28 says that it can do, as JSON
 */
record Gateway(Api api, String operator, String capabilities) {
  static final String MODERN = "2026-07-28";
  static final String TASKS = "{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

  private static final AtomicInteger IDS = new AtomicInteger();
  private static final Duration LONGEST = Duration.ofSeconds(40);

  static Gateway of(Api api, Operator operator) {
    return new Gateway(api, operator.id(), "{}");
  }

  Gateway withTasks() {
    return new Gateway(api, operator, TASKS);
  }

  Gateway as(Api other) {
    return new Gateway(other, operator, capabilities);
  }

  String path() {
    return "/v1/operators/" + operator + "/mcp";
  }

  static ObjectNode message(String method, ObjectNode params) {
    ObjectNode message =
        Json.object().put("jsonrpc", "2.0").put("id", IDS.incrementAndGet()).put("method", method);
    message.set("params", params);
    return message;
  }

  /** A message of 2026-07-28, with all that it has to say of its client. */
  ObjectNode modern(String method, ObjectNode params) {
    ObjectNode whole = params.deepCopy();
    ObjectNode meta = whole.withObjectProperty("_meta");
    meta.put("io.modelcontextprotocol/protocolVersion", MODERN);
    meta.set("io.modelcontextprotocol/clientCapabilities", Json.read(capabilities));
    return message(method, whole);
  }

  /** Sends a message of 2026-07-28 with its headers, and others besides. */
  Answer send(ObjectNode message, String... more) {
    JsonNode params = message.path("params");
    String name = params.path("taskId").asText(params.path("name").asText(""));
    String[] headers = new String[6 + more.length];
    headers[0] = "MCP-Protocol-Version";
    headers[1] = MODERN;
    headers[2] = "Mcp-Method";
    headers[3] = message.path("method").asText();
    headers[4] = name.isEmpty() ? "X-None" : "Mcp-Name";
    headers[5] = name.isEmpty() ? "none" : name;
    System.arraycopy(more, 0, headers, 6, more.length);
    return raw("POST", Json.write(message), headers);
  }

  Answer raw(String method, String body, String... headers) {
    var request = api.request(path()).timeout(LONGEST);
    request.method(
        method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    request.setHeader("Content-Type", "application/json");
    for (int at = 0; at < headers.length; at += 2) {
      request.setHeader(headers[at], headers[at + 1]);
    }
    try {
      HttpResponse<String> answer = api.client().send(request.build(), BodyHandlers.ofString());
      return new Answer(
          method + " " + path(), answer.statusCode(), answer.headers(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The result of a message of 2026-07-28. */
  JsonNode result(String method, ObjectNode params) {
    JsonNode answer = send(modern(method, params)).is(200);
    assertThat(answer.has("result")).as("%s", answer).isTrue();
    return answer.path("result");
  }

  /** The same of one before. */
  JsonNode before(String method, ObjectNode params) {
    JsonNode answer =
        raw("POST", Json.write(message(method, params)), "MCP-Protocol-Version", "2025-11-25")
            .is(200);
    assertThat(answer.has("result")).as("%s", answer).isTrue();
    return answer.path("result");
  }

  static ObjectNode called(String tool, ObjectNode args) {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", args);
    return params;
  }

  /** The result of a call. */
  JsonNode call(String tool, ObjectNode args) {
    return result("tools/call", called(tool, args));
  }

  /** What became of a plan, as the gateway's own tool tells it. */
  JsonNode plan(String id) {
    return call("governance_plan", Json.object().put("plan_id", id));
  }

  JsonNode task(String id) {
    return result("tasks/get", Json.object().put("taskId", id));
  }

  static String text(JsonNode result) {
    return result.at("/content/0/text").asText();
  }

  static String planId(JsonNode result) {
    return result.at("/_meta/io.actiongovernance~1plan_id").asText();
  }

  static String status(JsonNode result) {
    return result.at("/structuredContent/status").asText();
  }
}
