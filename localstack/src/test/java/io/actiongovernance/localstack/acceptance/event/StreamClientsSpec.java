package io.actiongovernance.localstack.acceptance.event;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.launchdarkly.eventsource.ConnectStrategy;
import com.launchdarkly.eventsource.ErrorStrategy;
import com.launchdarkly.eventsource.EventSource;
import com.launchdarkly.eventsource.MessageEvent;
import com.launchdarkly.eventsource.StartedEvent;
import com.launchdarkly.eventsource.StreamEvent;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.EmbeddedStack;
import io.actiongovernance.localstack.Service;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients that we did not write follow the stream through forced disconnects, on a stack that
 * closes every stream after two seconds, while others write (contract, section 7).
 */
final class StreamClientsSpec {
  private static final Path INSTALLED = Path.of("target/npm");
  private static final Duration LONGEST = Duration.ofSeconds(60);
  private static final int WRITERS = 3;

  @TempDir
  @SuppressWarnings("NullAway.Init") // JUnit sets it
  Path folder;

  /** What a client was told, and how often it was connected. */
  private record Told(List<String> ids, AtomicInteger connections) {
    Told() {
      this(new CopyOnWriteArrayList<>(), new AtomicInteger());
    }
  }

  @Test
  void clientsThatResumeThroughForcedDisconnectsSeeExactlyWhatTheListHolds() throws Exception {
    try (EmbeddedStack stack =
            Stack.startOn(
                folder, Service.governance(), Map.of("GOVERNANCE_STREAM_MAX_SECONDS", "2"));
        HttpClient http = HttpClient.newHttpClient();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Api api = new Api(http, stack.baseUrl(), Stack.newTenant(stack, "clients").keys().live());
      List<String> before = new ArrayList<>();
      for (int at = 0; at < 5; at++) {
        before.add(ingest(api));
      }
      String cursor = api.get("/v1/events").is(200).path("next_cursor").asText();
      String url = stack.baseUrl() + "/v1/events/stream?event_type=*.*&cursor=";
      String bound = api.get("/v1/events?event_type=*.*").is(200).path("next_cursor").asText();
      Told maven = new Told();
      Told npm = new Told();
      EventSource source = follow(stack.baseUrl() + "/v1/events/stream?cursor=" + cursor, api);
      threads.execute(() -> read(source, maven));
      Process node = followWithNode(url + bound, api);
      if (node != null) {
        threads.execute(() -> read(node, npm));
      }
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        writers.add(threads.submit(() -> writeUntilBothHaveResumed(api, maven, npm, node)));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      Set<String> wanted = new HashSet<>(all(api));
      before.forEach(wanted::remove);
      assertThat(wanted).isNotEmpty();
      sees(maven, wanted);
      if (node != null) {
        sees(npm, wanted);
        node.destroy();
      }
      source.close();
      assumeTrue(node != null, "npm's client was not installed: " + missing());
    }
  }

  private static void sees(Told told, Set<String> wanted) {
    Await.until(LONGEST, told::ids, ids -> ids.containsAll(wanted));
    assertThat(told.ids()).doesNotHaveDuplicates().hasSameSizeAs(wanted);
    assertThat(told.connections().get()).isGreaterThanOrEqualTo(3);
  }

  private static void writeUntilBothHaveResumed(
      Api api, Told maven, Told npm, @org.jspecify.annotations.Nullable Process node) {
    long deadline = System.nanoTime() + LONGEST.toNanos();
    while (System.nanoTime() < deadline
        && (maven.connections().get() < 3 || (node != null && npm.connections().get() < 3))) {
      ingest(api);
      Await.pause(Duration.ofMillis(30));
    }
  }

  private static String ingest(Api api) {
    return api.post(
            "/v1/events",
            Json.object()
                .put("source", "shop")
                .put("event_type", "order.created")
                .set("payload", Json.object()))
        .is(201)
        .path("id")
        .asText();
  }

  private static List<String> all(Api api) {
    List<String> ids = new ArrayList<>();
    String path = "/v1/events?order=asc&limit=100";
    JsonNode page = api.get(path).is(200);
    while (true) {
      page.path("data").forEach(event -> ids.add(event.path("id").asText()));
      if (!page.path("has_more").asBoolean()) {
        return ids;
      }
      page = api.get(path + "&cursor=" + page.path("next_cursor").asText()).is(200);
    }
  }

  private static EventSource follow(String url, Api api) {
    return new EventSource.Builder(
            ConnectStrategy.http(URI.create(url)).header("Authorization", "Bearer " + api.key()))
        .errorStrategy(ErrorStrategy.alwaysContinue())
        .build();
  }

  private static void read(EventSource source, Told told) {
    for (StreamEvent event : source.anyEvents()) {
      switch (event) {
        case StartedEvent _ -> told.connections().incrementAndGet();
        case MessageEvent message -> told.ids().add(message.getLastEventId());
        default -> {}
      }
    }
  }

  /** Null where npm's client could not be installed, but not in continuous integration. */
  private static @org.jspecify.annotations.Nullable Process followWithNode(String url, Api api)
      throws IOException {
    if (!Files.isDirectory(INSTALLED.resolve("node_modules/eventsource"))) {
      assertThat(System.getenv("CI")).as(missing()).isNotEqualTo("true");
      return null;
    }
    return new ProcessBuilder("node", "--input-type=module", "-", url, String.valueOf(api.key()))
        .directory(INSTALLED.toFile())
        .redirectInput(Path.of("src/test/npm/follow.mjs").toAbsolutePath().toFile())
        .redirectErrorStream(true)
        .start();
  }

  private static String missing() throws IOException {
    Path why = INSTALLED.resolve("missing");
    return Files.exists(why) ? Files.readString(why).strip() : "it was not built";
  }

  private static void read(Process node, Told told) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(node.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.equals("open")) {
          told.connections().incrementAndGet();
        } else {
          told.ids().add(line);
        }
      }
    } catch (IOException e) {
      // It was stopped.
    }
  }
}
