package io.actiongovernance.localstack.acceptance.gov;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Stack;
import io.actiongovernance.localstack.watch.Watcher;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The terminal tool: one line for each event, plan and action. */
@Acceptance
final class WatchSpec {
  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** A watcher at work. */
  private static final class Watching implements AutoCloseable {
    private final StringWriter out = new StringWriter();
    private final StringWriter problems = new StringWriter();
    private final Thread thread;

    Watching(Api api, Map<String, String> filters, boolean json) {
      Watcher watcher = watcher(api, filters, json, out, problems);
      this.thread =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      watcher.watch();
                    } catch (Watcher.Refused e) {
                      problems.append(e.getMessage());
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
    }

    List<String> lines() {
      return out.toString().lines().toList();
    }

    /** Waits for a line that has all of these in it. */
    String await(String... parts) {
      return Await.until(
              LONGEST,
              () -> lines().stream().filter(line -> hasAll(line, parts)).toList(),
              found -> !found.isEmpty())
          .getFirst();
    }

    private static boolean hasAll(String line, String... parts) {
      return List.of(parts).stream().allMatch(line::contains);
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }

  private static Watcher watcher(
      Api api, Map<String, String> filters, boolean json, StringWriter out, StringWriter problems) {
    return new Watcher(
        new Watcher.Options(
            api.baseUrl(), Objects.requireNonNull(api.key()), filters, null, json, false),
        new PrintWriter(out),
        new PrintWriter(problems),
        InstantSource.system());
  }

  /** Sends events until the watcher, which begins when it is ready, has told of one. */
  private static JsonNode firstSeen(Given given, Watching watching) {
    return Await.until(
        LONGEST,
        () -> given.event("order.created", Json.object()),
        event -> {
          Await.pause(Duration.ofMillis(200));
          return watching.lines().stream()
              .anyMatch(line -> line.contains(event.path("id").asText()));
        });
  }

  /** An operator that holds refunds, and watches the events that the tests send. */
  private static Operator refunds(Given given) {
    ObjectNode fields = Json.object();
    fields.putObject("triggers").putArray("event_types").add("order.*").add("ticket.*");
    return given.operatorWith(fields, Given.alert(Given.REFUND));
  }

  private static ObjectNode proposal(Operator operator, JsonNode event) {
    return Operator.proposal(operator.refund("ch-1")).put("event_id", event.path("id").asText());
  }

  @BeforeEach
  void streams() {
    assumeTrue(Stack.streams(), "needs a gateway that streams");
  }

  @Test
  void eachEventPlanAndActionIsALine(Given given) {
    Operator operator = refunds(given);
    try (Watching watching = new Watching(given.api(), Map.of(), false)) {
      JsonNode event = firstSeen(given, watching);
      String eventId = event.path("id").asText();
      watching.await("event", "order.created", "from shop", eventId);
      String path = "/v1/operators/" + operator.id() + "/plans";
      String plan =
          given.proposer().post(path, proposal(operator, event)).is(201).path("id").asText();
      watching.await("plan", "proposed (waits for approval)", "desk-", plan, "of " + eventId);
      given.api().postPatiently("/v1/plans/" + plan + "/approve", Json.object()).is(200);
      watching.await("action", "ALERT ok", Given.REFUND, "charge:ch-1", "receipt rc_");
      watching.await("plan", "executed", plan);
      String other = given.api().post(path, proposal(operator, event)).is(201).path("id").asText();
      watching.await("plan", "proposed", other);
      given.api().post("/v1/plans/" + other + "/veto", Json.object().put("reason", "No.")).is(200);
      watching.await("plan", "vetoed: No.", other);
      assertThat(watching.lines()).doesNotHaveDuplicates().noneMatch(line -> line.contains("\033"));
      assertThat(watching.problems.toString()).isEmpty();
    }
  }

  @Test
  void jsonOutputIsOneObjectPerLine(Given given) {
    try (Watching watching = new Watching(given.api(), Map.of(), true)) {
      JsonNode event = firstSeen(given, watching);
      JsonNode line = Json.read(watching.await(event.path("id").asText()));
      assertThat(line.path("kind").asText()).isEqualTo("event");
      assertThat(line.at("/data/event_id")).isEqualTo(event.path("id"));
      assertThat(line.at("/data/payload")).isEqualTo(event.path("payload"));
    }
  }

  @Test
  void watchShowsMatchingEventsAndTheirPlans(Given given) {
    Operator operator = refunds(given);
    String path = "/v1/operators/" + operator.id() + "/plans";
    try (Watching watching = new Watching(given.api(), Map.of("event_type", "order.*"), false)) {
      JsonNode seen = firstSeen(given, watching);
      JsonNode hidden = given.event("ticket.created", Json.object());
      String none = given.api().post(path, proposal(operator, hidden)).is(201).path("id").asText();
      String plan = given.api().post(path, proposal(operator, seen)).is(201).path("id").asText();
      watching.await("plan", plan);
      assertThat(watching.out.toString()).doesNotContain(none).doesNotContain("ticket.created");
    }
  }

  @Test
  void aRefusedKeyEndsWatch(Given given) {
    Watcher watcher =
        watcher(
            given.api().as("sk_live_nobodys"),
            Map.of(),
            false,
            new StringWriter(),
            new StringWriter());
    assertThatThrownBy(watcher::watch)
        .isInstanceOf(Watcher.Refused.class)
        .hasMessageStartingWith("key_invalid");
  }
}
