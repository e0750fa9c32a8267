package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The API as the holder of one key sees it. Thread-safe. */
record Api(HttpClient client, URI baseUrl, @Nullable String key) {
  private static final Duration LONGEST = Duration.ofSeconds(40);

  /** The same API with another key, or with none. */
  Api as(@Nullable String otherKey) {
    return new Api(client, baseUrl, otherKey);
  }

  Answer get(String path, String... headers) {
    return send("GET", path, null, headers);
  }

  Answer delete(String path, String... headers) {
    return send("DELETE", path, null, headers);
  }

  Answer post(String path, JsonNode body, String... headers) {
    return send("POST", path, Json.write(body), headers);
  }

  /**
   * Posts as a client does that waits for work which goes on: under an idempotency key, and once
   * more when it is told 503 (contract, section 2).
   */
  Answer postPatiently(String path, JsonNode body) {
    String key = Given.unique("patient");
    Answer answer = post(path, body, "Idempotency-Key", key);
    for (int again = 0; again < 3 && answer.status() == 503; again++) {
      answer = post(path, body, "Idempotency-Key", key);
    }
    return answer;
  }

  /** Posts an empty object. */
  Answer post(String path) {
    return post(path, Json.object());
  }

  Answer patch(String path, JsonNode body, String... headers) {
    return send("PATCH", path, Json.write(body), headers);
  }

  Answer put(String path, JsonNode body, String... headers) {
    return send("PUT", path, Json.write(body), headers);
  }

  /**
   * Sends whatever it is told to.
   *
   * @param body JSON text, or null for none
   * @param headers names and values in turn
   */
  Answer send(String method, String path, @Nullable String body, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + path)).timeout(LONGEST);
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
    }
    if (key != null) {
      request.setHeader("Authorization", "Bearer " + key);
    }
    for (int at = 0; at < headers.length; at += 2) {
      request.setHeader(headers[at], headers[at + 1]);
    }
    try {
      HttpResponse<String> answer =
          client.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
      if (answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
        Published.at(client, baseUrl).check(method, path, answer.statusCode(), answer.body());
      }
      return new Answer(method + " " + path, answer.statusCode(), answer.headers(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A text as a value of the query. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
