package io.actiongovernance.localstack.acceptance.stored;

import static io.actiongovernance.localstack.acceptance.stored.StoredRequests.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Receiver;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Behaviour;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Gate;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What is under way when a process is killed: calls, requests and deliveries in flight, and what
 * comes due about a minute after {@link #begin()}. The process is to be killed at once, within the
 * {@value #MOST_SECONDS} seconds that calls may take. Not thread-safe.
 */
final class StoredInFlight {
  /** Less than a call may take: what is in flight is so still. */
  static final int MOST_SECONDS = 18;

  /** When what is due by itself is due, from the beginning. */
  static final Duration DUE = Duration.ofSeconds(60);

  private static final Duration LONGEST = Duration.ofSeconds(30);

  /** Longer than the pollers of streams take to write down how far they came. */
  private static final Duration SETTLES = Duration.ofSeconds(3);

  private final StoredScenario scenario;
  private final StoredRequests requests;
  private final StoredNeighbours neighbours;
  private final Map<String, JsonNode> things;
  private final Path data;

  StoredInFlight(
      StoredScenario scenario,
      StoredRequests requests,
      StoredNeighbours neighbours,
      Map<String, JsonNode> things,
      Path data) {
    this.scenario = scenario;
    this.requests = requests;
    this.neighbours = neighbours;
    this.things = things;
    this.data = data;
  }

  /**
   * Begins all of it, and returns when it stands still.
   *
   * @return when what is due by itself is due
   */
  Instant begin() {
    JsonNode again =
        scenario.propose("desk", scenario.refund("gone"), note("again"), note("after"));
    JsonNode never =
        scenario.propose("desk", scenario.refund("never"), scenario.note("beside", "b"));
    Instant began = Instant.now();
    comesDue(began);
    Instant calling = Instant.now();
    calls(again, never);
    delivery();
    Await.pause(SETTLES);
    Duration took = Duration.between(calling, Instant.now());
    if (took.toSeconds() >= MOST_SECONDS) {
      throw new AssertionError("This machine is too busy: it took " + took);
    }
    return began.plus(DUE);
  }

  /** On the entity of the first refund. */
  private ObjectNode note(String note) {
    return scenario.note(note, "gone");
  }

  private void comesDue(Instant began) {
    scenario.key("ending", "'role':'read_only','expires_at':'%s'".formatted(began.plus(DUE)));
    scenario.scheduled("timed");
    keep("expiring", scenario.propose("soon", scenario.refund("soon")));
    neighbours
        .receiver()
        .next("/waiting", new Receiver.Behaviour.Answer(503, "Retry-After", "" + DUE.toSeconds()));
    things.put("delivery that waits", test("waiting"));
    neighbours.upstream().next("/refunds/settling", new Behaviour.ActAndDrop());
    ObjectNode lost =
        scenario.action(
            "settling", "pay.refund.create", "{'charge':'settling'}", "refund-settling");
    keep("settling", scenario.propose("quick", lost));
    begin("behind what settles", "quick", scenario.note("settled", "settling"));
    for (String name : List.of("paced-1", "paced-2")) {
      ObjectNode note =
          scenario.action("paced", "desk.note.add", "{'note':'%s'}".formatted(name), name);
      begin(name, "quick", note.put("entity_key", "desk:" + name));
    }
    Await.until(LONGEST, () -> timers("webhook-retry") + timers("plan-expiry"), many -> many == 2);
  }

  /** A request to propose that goes on for longer than the process lives. */
  private void begin(String name, String operator, ObjectNode action) {
    StoredRequests.Sent sent =
        requests.begin("proposer", scenario.plans(operator), StoredScenario.proposal(action));
    things.put(name, Json.tree(sent.asked()));
  }

  private void calls(JsonNode again, JsonNode never) {
    Gate noted = neighbours.upstream().hold("/notes/again");
    Gate refunded = neighbours.upstream().hold("/refunds/never");
    Gate lostBefore = neighbours.upstream().hold("/notes/lost");
    Gate cancelled = neighbours.upstream().hold("/cancellations/");
    JsonNode undoing = Objects.requireNonNull(things.get("undoing")).at("/actions/0");
    keep("called again", again);
    keep("never called again", never);
    ask("approval of what is called again", "/v1/plans/", again, "/approve");
    ask("approval of what is never called again", "/v1/plans/", never, "/approve");
    ask("undo in flight", "/v1/actions/", undoing, "/undo");
    ObjectNode lost = (ObjectNode) Objects.requireNonNull(things.get("lost"));
    begin("under a key whose effect is unknown", "quick", lost);
    List.of(noted, refunded, cancelled, lostBefore).forEach(Gate::awaitCall);
    begin("behind a lock", "quick", scenario.note("behind", "gone"));
    Await.until(
        LONGEST,
        () -> requests.as("admin").get("/v1/plans?waiting_on=lock").ids(),
        waiting -> waiting.size() == 2);
  }

  private void ask(String name, String root, JsonNode of, String verb) {
    String path = root + of.path("id").asText() + verb;
    things.put(name, Json.tree(requests.begin("admin", path, json("{}")).asked()));
  }

  private void delivery() {
    neighbours.receiver().next("/silent", new Receiver.Behaviour.Silence());
    things.put("delivery in flight", test("silent"));
    neighbours.receiver().await("/silent", 1);
  }

  private JsonNode test(String endpoint) {
    String path = "/v1/webhook_endpoints/" + scenario.id(endpoint);
    JsonNode made =
        requests.post("admin", path + "/test", json("{'type':'webhook_endpoint.status_changed'}"));
    return Json.object()
        .put("id", made.path("id").asText())
        .put("path", path + "/deliveries/" + made.path("id").asText());
  }

  private void keep(String name, JsonNode plan) {
    things.put(name, StoredScenario.known(plan));
  }

  private int timers(String kind) {
    Path folder = data.resolve("executions").resolve("governance-" + kind);
    try (Stream<Path> files = Files.list(folder)) {
      return (int) files.filter(file -> file.toString().endsWith(".json")).count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
