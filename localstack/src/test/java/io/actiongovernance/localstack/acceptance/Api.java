package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
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
import java.util.Arrays;
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
    HttpRequest.Builder request = request(path).timeout(LONGEST);
    request.method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.setHeader("Content-Type", "application/json");
    }
    for (int at = 0; at < headers.length; at += 2) {
      request.setHeader(headers[at], headers[at + 1]);
    }
    Secrets.sent(method + " " + path, body);
    try {
      HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
      String text = text(answer);
      if (answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
        published().check(method, path, answer.statusCode(), text);
      }
      Secrets.answered(method + " " + path, answer.statusCode(), text);
      return new Answer(method + " " + path, answer.statusCode(), answer.headers(), text);
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path + ": " + e, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The path of one of the service's own addresses, below its root. */
  String path(URI address) {
    String root = baseUrl + "/";
    assertThat(address.toString()).startsWith(root);
    return below(address);
  }

  /** The path of an address below the service's root, whichever host it names. */
  String below(URI address) {
    return address.getRawPath().substring(baseUrl.getRawPath().length());
  }

  /** What the service publishes of itself. */
  Published published() {
    return Published.at(client, baseUrl);
  }

  /** All of a body, but of a stream, which does not end, only what comes first. */
  private static String text(HttpResponse<InputStream> answer) throws IOException {
    String type = answer.headers().firstValue("Content-Type").orElse("");
    try (InputStream body = answer.body()) {
      byte[] bytes = type.startsWith("text/event-stream") ? beginning(body) : body.readAllBytes();
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }

  private static byte[] beginning(InputStream stream) throws IOException {
    byte[] buffer = new byte[1024];
    int read = stream.read(buffer);
    return Arrays.copyOf(buffer, Math.max(0, read));
  }

  /** A request of this key, to be completed and sent by the caller. */
  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path));
    if (key != null) {
      request.setHeader("Authorization", "Bearer " + key);
    }
    return request;
  }

  /** A text as a value of the query. */
  static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
