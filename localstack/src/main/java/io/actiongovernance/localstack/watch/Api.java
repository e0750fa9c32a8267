package io.actiongovernance.localstack.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The service's API as the holder of one key reads it. Thread-safe. */
final class Api {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private final HttpClient client = HttpClient.newHttpClient();
  private final URI baseUrl;
  private final String key;

  Api(URI baseUrl, String key) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  URI baseUrl() {
    return baseUrl;
  }

  /** A request that the API refused. */
  static final class Refused extends IOException {
    private final int status;
    private final String code;
    private final Duration retryAfter;

    Refused(int status, String code, String message, Duration retryAfter) {
      super(message);
      this.status = status;
      this.code = code;
      this.retryAfter = retryAfter;
    }

    String code() {
      return code;
    }

    /** Whether there is nothing at that path. */
    boolean nothingThere() {
      return status == 404 && code.equals("not_found");
    }

    /** How long to wait before the same request is worth another try. */
    Duration retryAfter() {
      return retryAfter;
    }

    /** Whether the same request will be refused again, however often it is made. */
    boolean forGood() {
      return status < 500 && status != 429;
    }
  }

  /** The object at a path. */
  JsonNode get(String path) throws IOException, InterruptedException {
    try (InputStream body = open(path, null)) {
      return Json.read(new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  /** All items of a list, newest first. */
  List<JsonNode> list(String path) throws IOException, InterruptedException {
    List<JsonNode> items = new ArrayList<>();
    JsonNode page = get(path);
    while (true) {
      page.path("data").forEach(items::add);
      if (!page.path("has_more").booleanValue()) {
        return items;
      }
      page = get(path + "&cursor=" + encoded(page.path("next_cursor").textValue()));
    }
  }

  /**
   * The body of what is at a path, as it comes.
   *
   * @param lastEventId what a stream is to resume after, or null
   */
  InputStream open(String path, @Nullable String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + path))
            .timeout(LONGEST)
            .header("Authorization", "Bearer " + key);
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    HttpResponse<InputStream> response = client.send(request.build(), BodyHandlers.ofInputStream());
    if (response.statusCode() == 200) {
      return response.body();
    }
    try (InputStream body = response.body()) {
      throw refused(response, new String(body.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static Refused refused(HttpResponse<InputStream> response, String body) {
    JsonNode error = body.startsWith("{") ? Json.read(body).path("error") : Json.object();
    long seconds = response.headers().firstValueAsLong("Retry-After").orElse(3);
    return new Refused(
        response.statusCode(),
        error.path("code").asText(),
        error.path("message").asText("It answered " + response.statusCode() + "."),
        Duration.ofSeconds(seconds));
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
