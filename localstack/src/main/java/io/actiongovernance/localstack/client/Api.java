package io.actiongovernance.localstack.client;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The service's API, used with one key. Thread-safe. */
public final class Api {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  /** Timeout of a request. It is longer than the service takes to answer an approval. */
  private static final Duration LONGEST = Duration.ofSeconds(40);

  /**
   * Maximum size of a response in bytes. The service's responses are smaller; those of another
   * server may be endless.
   */
  private static final int LARGEST = 16 << 20;

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final URI baseUrl;
  private final String key;

  public Api(URI baseUrl, String key) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  public URI baseUrl() {
    return baseUrl;
  }

  public static final class Refused extends IOException {
    private final int status;
    private final JsonNode error;
    private final Duration retryAfter;

    Refused(int status, JsonNode error, Duration retryAfter) {
      super(error.path("message").asText("The service answered " + status + "."));
      this.status = status;
      this.error = error;
      this.retryAfter = retryAfter;
    }

    public String code() {
      return error.path("code").asText();
    }

    public JsonNode error() {
      return error.deepCopy();
    }

    /** Returns whether nothing exists at the path. */
    public boolean nothingThere() {
      return status == 404 && code().equals("not_found");
    }

    /** Time to wait before it is worth sending the same request again. */
    public Duration retryAfter() {
      return retryAfter;
    }

    /** Returns whether the same request would be refused again, however often it is sent. */
    public boolean forGood() {
      return status < 500 && status != 429;
    }

    /**
     * Returns whether the work continues, so that a retry of the request will be answered with its
     * result.
     */
    public boolean underWay() {
      return status == 503 || code().equals("idempotency_in_progress");
    }
  }

  /** Thrown if nothing answers at the base URL, or if something other than the service does. */
  public static final class Unreachable extends IOException {
    private final boolean sent;

    Unreachable(String message, boolean sent, @Nullable Throwable cause) {
      super(message, cause);
      this.sent = sent;
    }

    /** Returns whether the request may have been carried out, as far as this client knows. */
    boolean mayBeDone() {
      return sent;
    }
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    try (InputStream body = open(path, null)) {
      return read(body);
    }
  }

  /**
   * Returns the service's time, rounded down to the second. The service's lists follow its clock,
   * not this machine's. Fails if the key may not read plans.
   */
  public Instant time() throws IOException, InterruptedException {
    HttpResponse<InputStream> response = exchange(request("/v1/plans?limit=1"));
    response.body().close();
    return response
        .headers()
        .firstValue("Date")
        .map(date -> Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date)))
        .orElseGet(() -> Instant.now().truncatedTo(ChronoUnit.SECONDS));
  }

  /**
   * @param idempotencyKey the key under which the request may be sent again, or null
   */
  public JsonNode post(String path, JsonNode body, @Nullable String idempotencyKey)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(Json.write(body)));
    if (idempotencyKey != null) {
      request.header("Idempotency-Key", idempotencyKey);
    }
    try (InputStream answer = send(request)) {
      return read(answer);
    }
  }

  /**
   * Posts a body. It repeats the request under the same key while the work continues, or while it
   * is not known whether the work began. It gives up after {@code longest}.
   */
  public JsonNode postPatiently(String path, JsonNode body, String idempotencyKey, Duration longest)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + longest.toNanos();
    while (true) {
      Duration pause;
      try {
        return post(path, body, idempotencyKey);
      } catch (Refused e) {
        pause = e.retryAfter();
        if (!e.underWay() || System.nanoTime() + pause.toNanos() > deadline) {
          throw e;
        }
      } catch (Unreachable e) {
        pause = Duration.ofSeconds(1);
        if (!e.mayBeDone() || System.nanoTime() + pause.toNanos() > deadline) {
          throw e;
        }
      }
      Thread.sleep(pause);
    }
  }

  /** Returns all items of a list, newest first. */
  public List<JsonNode> list(String path) throws IOException, InterruptedException {
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
   * Opens the response body of a path, which can be read as it arrives.
   *
   * @param lastEventId event after which a stream resumes, or null
   */
  public InputStream open(String path, @Nullable String lastEventId)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = request(path);
    if (lastEventId != null) {
      request.header("Last-Event-ID", lastEventId);
    }
    return send(request);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(baseUrl + path))
        .timeout(LONGEST)
        .header("Authorization", "Bearer " + key);
  }

  private InputStream send(HttpRequest.Builder request) throws IOException, InterruptedException {
    return exchange(request).body();
  }

  private HttpResponse<InputStream> exchange(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> response;
    try {
      response = client.send(request.build(), BodyHandlers.ofInputStream());
    } catch (java.net.ConnectException | java.net.http.HttpConnectTimeoutException e) {
      throw new Unreachable("Nothing answers at " + baseUrl + ".", false, e);
    } catch (IOException e) {
      throw new Unreachable(
          "A request to " + baseUrl + " was lost before it was answered.", true, e);
    }
    if (response.statusCode() / 100 == 2) {
      return response;
    }
    try (InputStream body = response.body()) {
      throw refused(response, new String(body.readNBytes(LARGEST), StandardCharsets.UTF_8));
    }
  }

  private JsonNode read(InputStream body) throws IOException {
    byte[] bytes = body.readNBytes(LARGEST + 1);
    if (bytes.length <= LARGEST) {
      try {
        return Json.parse(bytes);
      } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
        throw notTheService(e);
      }
    }
    throw notTheService(null);
  }

  private Unreachable notTheService(@Nullable Throwable cause) {
    return new Unreachable(
        "The server at " + baseUrl + " is not the service. Check the base URL.", false, cause);
  }

  private Refused refused(HttpResponse<InputStream> response, String body) {
    JsonNode error;
    try {
      error = Json.parse(body.getBytes(StandardCharsets.UTF_8)).path("error");
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      error = Json.object();
    }
    if (!error.isObject()) {
      error =
          Json.object()
              .put(
                  "message",
                  "The server at %s answered %s, but not as the service does. Check the base URL."
                      .formatted(baseUrl, response.statusCode()));
    }
    long seconds = retryAfter(response);
    return new Refused(response.statusCode(), error, Duration.ofSeconds(seconds));
  }

  private static long retryAfter(HttpResponse<?> response) {
    try {
      return Math.clamp(response.headers().firstValueAsLong("Retry-After").orElse(3), 1, 300);
    } catch (NumberFormatException e) {
      return 3; // A date, or an invalid value from a server in between.
    }
  }

  /** Encodes a text as a value in a query, or as a segment of a path. */
  public static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
