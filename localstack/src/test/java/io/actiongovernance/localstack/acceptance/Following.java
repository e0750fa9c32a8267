package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An open stream of envelopes, read as bare text by a thread of its own. Thread-safe. */
final class Following implements AutoCloseable {
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final HttpHeaders headers;
  private final InputStream stream;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Thread reader;

  private Following(HttpResponse<InputStream> response) {
    this.headers = response.headers();
    this.stream = response.body();
    this.reader = Thread.ofVirtual().start(this::read);
  }

  /**
   * Opens a stream, which must succeed, and waits for its first line.
   *
   * @param query with its question mark, or empty
   * @param headers names and values in turn
   */
  static Following open(Api api, String query, String... headers) {
    HttpRequest.Builder request =
        api.request("/v1/events/stream" + query).setHeader("Accept", "text/event-stream");
    for (int at = 0; at < headers.length; at += 2) {
      request.setHeader(headers[at], headers[at + 1]);
    }
    try {
      HttpResponse<InputStream> response =
          api.client().send(request.build(), BodyHandlers.ofInputStream());
      if (response.statusCode() != 200) {
        throw new AssertionError(
            response.statusCode()
                + " "
                + new String(response.body().readAllBytes(), StandardCharsets.UTF_8));
      }
      Following following = new Following(response);
      Await.until(LONGEST, following::lines, lines -> !lines.isEmpty());
      return following;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    try (BufferedReader text =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = text.readLine(); line != null; line = text.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      lines.add("! " + e.getMessage());
    }
  }

  HttpHeaders headers() {
    return headers;
  }

  /** All lines so far, empty ones included. */
  List<String> lines() {
    return List.copyOf(lines);
  }

  /** The envelopes so far. */
  List<JsonNode> envelopes() {
    return lines.stream()
        .filter(line -> line.startsWith("data: "))
        .map(line -> Json.read(line.substring("data: ".length())))
        .toList();
  }

  /** The identifiers of the events so far, as the frames name them. */
  List<String> ids() {
    return lines.stream()
        .filter(line -> line.startsWith("id: "))
        .map(line -> line.substring("id: ".length()))
        .toList();
  }

  /** Waits for so many envelopes. */
  List<JsonNode> await(int count) {
    return Await.until(LONGEST, this::envelopes, seen -> seen.size() >= count);
  }

  /** Waits until the event came. */
  void await(String eventId) {
    Await.until(LONGEST, this::ids, ids -> ids.contains(eventId));
  }

  boolean hasEnded() {
    return !reader.isAlive();
  }

  /** Waits until the server has ended it. */
  void awaitEnd(Duration longest) {
    Await.until(longest, this::hasEnded, ended -> ended);
  }

  @Override
  public void close() {
    try {
      stream.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
