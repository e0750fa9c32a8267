package io.actiongovernance.localstack.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Mode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The API as a tenant's live key sees it; what it asks for must succeed. Thread-safe. */
record Tenant(HttpClient http, URI baseUrl, String id, String key) {
  /** A stack that answers nothing more is to end a bench, not to hold it. */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  /** The same tenant with another key. */
  Tenant as(String another) {
    return new Tenant(http, baseUrl, id, another);
  }

  JsonNode get(String path) throws IOException, InterruptedException {
    return send(request(path).build());
  }

  JsonNode post(String path, String body) throws IOException, InterruptedException {
    return send("POST", path, body);
  }

  JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofString(body))
            .build());
  }

  /** The identifiers of all pages of a list. */
  List<String> ids(String path) throws IOException, InterruptedException {
    List<String> ids = new ArrayList<>();
    JsonNode page = get(path);
    page.path("data").forEach(one -> ids.add(id(one)));
    while (page.path("has_more").asBoolean()) {
      page = get(path + "&cursor=" + page.path("next_cursor").textValue());
      page.path("data").forEach(one -> ids.add(id(one)));
    }
    return ids;
  }

  /** A request of its key, to be completed and sent by the caller. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(baseUrl.resolve(path))
        .header("Authorization", "Bearer " + key)
        .timeout(LONGEST);
  }

  Partition partition() {
    return new Partition(new TenantId(id), Mode.LIVE);
  }

  static String id(JsonNode object) {
    return object.path("id").textValue();
  }

  private JsonNode send(HttpRequest request) throws IOException, InterruptedException {
    HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
    if (response.statusCode() >= 300) {
      throw new IllegalStateException(
          request.uri() + " answered " + response.statusCode() + " " + response.body());
    }
    return Json.read(response.body());
  }
}
