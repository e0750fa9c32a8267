package io.actiongovernance.localstack.watch;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.client.Api;
import io.actiongovernance.localstack.watch.Screen.Kind;
import io.actiongovernance.localstack.watch.Screen.Mood;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Follows the stream of envelopes and their consequences until it is interrupted. It survives
 * disconnects, restarts of the service, and temporary refusals.
 */
public final class Watcher {
  private static final Duration LOOK = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private static final String NO_STREAM =
      "There is no event stream at %s (LocalStack's gateway does not stream). List GET /v1/events"
          + " from time to time instead, or watch a stack that localstack/up runs without"
          + " --docker.";

  private final Api api;
  private final String query;
  private final Screen screen;
  private final PrintWriter problems;
  private final Progress progress;
  private @Nullable String lastEventId;

  /**
   * @param filters the stream's parameters: {@code event_type}, {@code source}, {@code
   *     workspace_id}, {@code entity}
   * @param after the cursor or event to begin after; null to begin now
   * @param json whether each line is JSON; otherwise lines are for people
   * @param colours whether lines for people have colours
   */
  public record Options(
      URI baseUrl,
      String key,
      Map<String, String> filters,
      @Nullable String after,
      boolean json,
      boolean colours) {
    public Options {
      filters = Map.copyOf(filters);
    }
  }

  /**
   * Creates a watcher that has not started yet.
   *
   * @param out receives the lines about what happens
   * @param problems receives lost connections and refusals
   */
  public Watcher(Options options, PrintWriter out, PrintWriter problems, InstantSource clock) {
    this.api = new Api(options.baseUrl(), options.key());
    this.query =
        new TreeMap<>(options.filters())
            .entrySet().stream()
                .map(filter -> filter.getKey() + "=" + Api.encoded(filter.getValue()))
                .collect(Collectors.joining("&", "?", ""));
    Screen.Style style =
        options.json()
            ? Screen.Style.JSON
            : options.colours() ? Screen.Style.COLOURED : Screen.Style.PLAIN;
    this.screen = new Screen(out, style, clock);
    this.problems = problems;
    this.lastEventId = options.after();
    // By the service's clock, plans that are made now may be slightly older.
    Instant now = clock.instant().minus(PAUSE);
    this.progress = new Progress(api, screen, now, !options.filters().isEmpty());
  }

  public static final class Refused extends Exception {
    Refused(String message) {
      super(message);
    }
  }

  /**
   * Watches until the thread is interrupted.
   *
   * @throws Refused if the key or the request is refused, or there is no stream
   */
  public void watch() throws Refused, InterruptedException {
    Thread looking = Thread.ofVirtual().name("watch-progress").start(this::look);
    try {
      while (true) {
        follow();
        Thread.sleep(PAUSE);
      }
    } finally {
      looking.interrupt();
    }
  }

  private void follow() throws Refused, InterruptedException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api.open("/v1/events/stream" + query, lastEventId), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        // The service writes all of a frame's content into its data line.
        if (line.startsWith("data: ")) {
          tell(Json.read(line.substring("data: ".length())));
        }
      }
    } catch (Api.Refused e) {
      if (e.nothingThere()) {
        throw new Refused(NO_STREAM.formatted(api.baseUrl()));
      }
      if (e.forGood()) {
        throw new Refused(e.code() + ": " + e.getMessage());
      }
      say(String.valueOf(e.getMessage()));
      Thread.sleep(e.retryAfter());
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      say("No connection to " + api.baseUrl() + "; trying again …");
    }
  }

  private void tell(JsonNode envelope) {
    String id = envelope.path("event_id").asText();
    progress.seen(id);
    screen.line(
        Kind.EVENT,
        Mood.NEW,
        envelope,
        "%s  from %s  %s"
            .formatted(envelope.path("event_type").asText(), envelope.path("source").asText(), id));
    lastEventId = id;
  }

  private void look() {
    boolean told = false;
    while (true) {
      try {
        Thread.sleep(LOOK);
        progress.look();
        told = false;
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        // The stream's own reader reports a lost connection, so only refusals are reported here.
        if (!told && e instanceof Api.Refused) {
          say("Plans and actions cannot be read: " + e.getMessage());
          told = true;
        }
      }
    }
  }

  private void say(String text) {
    problems.println(text);
    problems.flush();
  }
}
