package io.actiongovernance.localstack.acceptance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Clients of a stack that may fail them: they ingest events for which operators propose, approve,
 * veto and undo, over a few entities, and remember what they were told and what they are not sure
 * of. Each request goes out under an idempotency key of its own. Thread-safe.
 */
final class Load {
  /** What is proposed for runs at once. */
  static final String UNHELD = "order.paid";

  /** What is proposed for waits for approval. */
  static final String HELD = "order.complained";

  private static final int ENTITIES = 5;

  private final String connector;
  private final Operator notes;
  private volatile Api api;
  private final Map<Request, JsonNode> acknowledged = new ConcurrentHashMap<>();
  private final Queue<Request> unsure = new ConcurrentLinkedQueue<>();
  private final List<Thread> clients = new ArrayList<>();
  private volatile Duration pause = Duration.ZERO;
  private volatile Witness witness = new Witness() {};
  private volatile boolean over;

  /** Hears what clients are answered, and why they are not. */
  interface Witness {
    default void answered(Answer answer) {}

    default void failed(Throwable why) {}
  }

  /** What a client asks for. */
  enum Kind {
    EVENT,
    APPROVE,
    VETO,
    UNDO
  }

  /** A request as it can be sent again. */
  record Request(Kind kind, String path, JsonNode body, String key) {}

  /** Installs what the load needs, with requests that succeed. */
  Load(Given given) {
    this.api = given.api();
    this.connector = given.connector();
    this.notes = given.operator(Given.allow(Given.NOTE));
    given.operatorWith(proposing(UNHELD), Given.allow(Given.REFUND), Given.allow(Given.NOTE));
    given.operatorWith(proposing(HELD), Given.alert(Given.REFUND), Given.allow(Given.NOTE));
  }

  /** A refund and two notes on one entity, and a refund of another. */
  private ObjectNode proposing(String eventType) {
    ObjectNode fields = Json.object();
    fields.putObject("triggers").putArray("event_types").add(eventType);
    ArrayNode actions =
        fields
            .putObject("model")
            .put("provider", "scripted")
            .putArray("plans")
            .addObject()
            .put("event_type", eventType)
            .put("reasoning", "Because.")
            .putArray("actions");
    action(actions, Given.REFUND, "entity").putObject("args").put("charge", "{{payload.entity}}");
    action(actions, Given.NOTE, "entity").putObject("args").put("charge", "{{payload.entity}}");
    action(actions, Given.REFUND, "other").putObject("args").put("charge", "{{payload.other}}");
    action(actions, Given.NOTE, "entity").putObject("args").put("charge", "{{payload.entity}}");
    return fields;
  }

  private ObjectNode action(ArrayNode actions, String tool, String entity) {
    return actions
        .addObject()
        .put("connector", connector)
        .put("tool", tool)
        .put("entity_key", "charge:{{payload." + entity + "}}");
  }

  /** The API at another address, after a restart. */
  void moveTo(Api moved) {
    api = moved;
  }

  /** The API as its clients reach it now. */
  Api api() {
    return api;
  }

  /** Has clients pause after each thing that they do, and somebody hear of it. */
  void slowly(Duration pause, Witness witness) {
    this.pause = pause;
    this.witness = witness;
  }

  /** Starts so many clients, who go on until {@link #stop()}. */
  void start(int many, SplittableRandom random) {
    over = false;
    for (int number = 0; number < many; number++) {
      SplittableRandom own = random.split();
      clients.add(Thread.startVirtualThread(() -> run(own)));
    }
  }

  /** Has all clients end with the request that is under way. */
  void end() {
    over = true;
  }

  /** Ends all clients; requests that are under way are waited for. */
  void stop() {
    end();
    try {
      for (Thread client : clients) {
        client.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
    clients.clear();
  }

  private void run(SplittableRandom random) {
    while (!over) {
      try {
        act(random);
        Await.pause(pause);
      } catch (UncheckedIOException | AssertionError e) {
        // A list that could not be read: there is nothing to remember.
        witness.failed(e);
        Await.pause(Duration.ofMillis(20));
      }
    }
  }

  private void act(SplittableRandom random) {
    switch (random.nextInt(10)) {
      case 0, 1, 2 -> send(event(UNHELD, random));
      case 3, 4, 5 -> send(event(HELD, random));
      case 6, 7 ->
          pick("/v1/plans?status=proposed&waiting_on=approval&limit=20", random)
              .forEach(plan -> send(request(Kind.APPROVE, plan, "approve", Json.object())));
      case 8 ->
          pick("/v1/actions?disposition=ALLOW&limit=20", random).stream()
              .filter(action -> action.path("undoable").asBoolean())
              .forEach(action -> send(request(Kind.UNDO, action, "undo", Json.object())));
      default -> {
        if (random.nextInt(4) == 0) {
          ObjectNode reason = Json.object().put("reason", "No.");
          pick("/v1/plans?status=proposed&waiting_on=approval&limit=20", random)
              .forEach(plan -> send(request(Kind.VETO, plan, "veto", reason)));
        }
      }
    }
  }

  private static Request event(String type, SplittableRandom random) {
    ObjectNode body = Json.object().put("source", "load").put("event_type", type);
    int entity = random.nextInt(ENTITIES);
    body.putObject("payload")
        .put("entity", "e" + entity)
        .put("other", "e" + (entity + 1 + random.nextInt(ENTITIES - 1)) % ENTITIES);
    return new Request(Kind.EVENT, "/v1/events", body, Given.unique("load"));
  }

  private static Request request(Kind kind, JsonNode target, String verb, ObjectNode body) {
    String path = kind == Kind.UNDO ? "/v1/actions/" : "/v1/plans/";
    return new Request(
        kind, path + target.path("id").asText() + "/" + verb, body, Given.unique("load"));
  }

  private List<JsonNode> pick(String list, SplittableRandom random) {
    Answer answer = api.get(list);
    witness.answered(answer);
    List<JsonNode> found = answer.data();
    return found.isEmpty() ? List.of() : List.of(found.get(random.nextInt(found.size())));
  }

  /** Sends a request, and remembers it if it was acknowledged or may have taken effect. */
  private void send(Request request) {
    try {
      Answer answer = api.post(request.path(), request.body(), "Idempotency-Key", request.key());
      witness.answered(answer);
      if (answer.status() / 100 == 2) {
        acknowledged.put(request, answer.json());
      } else if (answer.status() / 100 == 5
          || answer.text().contains("\"idempotency_in_progress\"")) {
        unsure.add(request);
      }
    } catch (UncheckedIOException e) {
      witness.failed(e);
      unsure.add(request);
    }
  }

  /**
   * Sends again, unchanged, what nobody knows the outcome of, as a client does, until each is
   * answered. How many there were.
   */
  int askAgain(Duration longest) {
    int many = unsure.size();
    Await.until(
        longest,
        () -> {
          IntStream.range(0, unsure.size()).mapToObj(at -> unsure.remove()).forEach(this::send);
          return unsure.size();
        },
        left -> left == 0);
    return many;
  }

  /** What was answered with success, by request. */
  Map<Request, JsonNode> acknowledged() {
    return Map.copyOf(acknowledged);
  }

  /** Waits until everything that should end by itself has ended. */
  void awaitRest(Duration longest) {
    Await.until(
        longest,
        () ->
            Ledger.all(api, "/v1/plans?status=proposed").stream()
                .filter(plan -> !plan.path("waiting_on").asText().equals("approval"))
                .map(plan -> plan.path("id").asText() + " " + plan.path("waiting_on").asText())
                .toList(),
        List::isEmpty);
    acknowledged.forEach(
        (request, answer) -> {
          if (request.kind() == Kind.EVENT) {
            String event = "/v1/events/" + answer.path("id").asText();
            Await.until(
                longest, () -> api.get(event).is(200), found -> !found.path("plan_ids").isEmpty());
          }
        });
  }

  /** Runs a plan over every entity: none is locked any more. */
  void requireFreeLocks() {
    for (int number = 0; number < ENTITIES; number++) {
      ObjectNode args = Json.object().put("charge", "e" + number);
      ObjectNode action = notes.action(Given.NOTE, "charge:e" + number, args);
      Operator here = new Operator(api, api, notes.id(), notes.connector());
      here.propose(action).await("executed", Duration.ofSeconds(20));
    }
  }
}
