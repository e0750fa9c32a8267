package io.actiongovernance.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.store.Write;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The source system behind {@code cn-sandbox}, for trials. It acts at most once per idempotency key
 * and counts the effects that it saw. It misbehaves if {@code simulate} and {@code delay_ms} ask
 * for that (contract, section 5). Each connector has its own records and counts. Thread-safe.
 */
public final class Sandbox implements ToolCaller, ConnectorProbe {
  private static final String COUNT = "count";
  private static final String DOC = "doc";
  private static final String VERSION = "version";
  private static final int TRIES = 20;

  private final Store store;
  private final Transactions transactions;
  private final ConnectorHealth health;
  private final InstantSource clock;
  private final Sleeper sleeper;

  public Sandbox(
      Store store,
      Transactions transactions,
      ConnectorHealth health,
      InstantSource clock,
      Sleeper sleeper) {
    this.store = store;
    this.transactions = transactions;
    this.health = health;
    this.clock = clock;
    this.sleeper = sleeper;
  }

  @Override
  public Finding probe(Connector connector) {
    return new Finding.Passed(Duration.ZERO);
  }

  @Override
  public CallResult call(ToolCall call) {
    Duration delay = Duration.ofMillis(call.args().path("delay_ms").asLong(0));
    if (clock.instant().plus(delay).isAfter(call.deadline())) {
      health.failed(call.connector(), "the sandbox is slower than the call may take");
      return new CallResult.Failed(
          "the sandbox did not begin: the delay is longer than the call may take");
    }
    if (delay.isPositive()) {
      sleeper.sleep(delay);
    }
    return switch (call.args().path("simulate").asText("")) {
      case "fail" -> {
        String error = "the sandbox failed before it acted: simulated failure";
        health.failed(call.connector(), error);
        yield new CallResult.Failed(error);
      }
      case "reject" -> {
        health.answered(call.connector());
        yield new CallResult.Failed("upstream answered 422: simulated refusal");
      }
      case "timeout" -> {
        act(call);
        health.failed(call.connector(), "upstream reply lost: simulated timeout");
        yield new CallResult.Unknown("upstream reply lost: simulated timeout", false);
      }
      default -> {
        ObjectNode result = act(call);
        health.answered(call.connector());
        yield new CallResult.Applied(
            result,
            result.path("id").isTextual() ? result.get("id").textValue() : null,
            call.answerKept() ? WholeAnswer.ofJson(result) : null);
      }
    };
  }

  private ObjectNode act(ToolCall call) {
    return switch (call.tool().name()) {
      case "sandbox.record.read" -> read(call);
      case "sandbox.effects.count" -> count(call);
      default -> effect(call);
    };
  }

  private ObjectNode read(ToolCall call) {
    String name = call.args().path("record").asText();
    ObjectNode result = Json.object().put("record", name);
    result.set("fields", fields(store.get(key(call.connector(), "record", name))));
    return result;
  }

  private ObjectNode count(ToolCall call) {
    String entity = call.args().path("entity").textValue();
    long count =
        store.get(countKey(call.connector(), entity)).map(item -> item.whole(COUNT, 0)).orElse(0L);
    return Json.object().put("count", count);
  }

  /**
   * Acts once per idempotency key. One transaction writes the effect, its counts and its changes.
   */
  private ObjectNode effect(ToolCall call) {
    Key effect = key(call.connector(), "effect", call.sourceKey());
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<Item> record = record(call);
      ObjectNode result = result(call, record);
      Item item = Item.at(effect).with(DOC, Json.write(result)).build();
      List<Write> writes = new ArrayList<>();
      writes.add(Write.insert(item));
      Stream.of(null, entity(call.args()))
          .distinct()
          .map(entity -> countKey(call.connector(), entity))
          .forEach(key -> writes.add(Write.update(key, Condition.always(), Change.add(COUNT, 1))));
      recordWrite(call, record).ifPresent(writes::add);
      switch (transactions.run(writes)) {
        case Store.Transacted.Done _ -> {
          return result;
        }
        case Store.Transacted.Refused refused when refused.of(0).isPresent() -> {
          return (ObjectNode) Json.read(refused.of(0).get().found().orElseThrow().text(DOC));
        }
        // The record has changed since it was read, so it is read again.
        case Store.Transacted.Refused _, Store.Transacted.Contended _ -> {}
      }
    }
    throw new IllegalStateException("The record of " + call.tool().name() + " keeps changing.");
  }

  private static ObjectNode result(ToolCall call, Optional<Item> record) {
    String digest = CanonicalJson.sha256(call.connector().id().value() + "\n" + call.sourceKey());
    ObjectNode result =
        Json.object().put("id", "sbx_" + digest.substring(0, 24)).put("tool", call.tool().name());
    if (call.tool().name().equals("sandbox.record.update")) {
      result.set("previous", fields(record));
    }
    call.args().properties().stream()
        .filter(
            argument ->
                !argument.getKey().equals("simulate") && !argument.getKey().equals("delay_ms"))
        .forEach(argument -> result.set(argument.getKey(), argument.getValue()));
    return result;
  }

  private Optional<Item> record(ToolCall call) {
    return call.tool().name().equals("sandbox.record.update")
        ? store.get(key(call.connector(), "record", call.args().path("record").asText()))
        : Optional.empty();
  }

  private static Optional<Write> recordWrite(ToolCall call, Optional<Item> before) {
    if (!call.tool().name().equals("sandbox.record.update")) {
      return Optional.empty();
    }
    Key key = key(call.connector(), "record", call.args().path("record").asText());
    long version = before.map(item -> item.whole(VERSION, 0)).orElse(0L);
    Item after =
        Item.at(key)
            .with(DOC, Json.write(call.args().get("fields")))
            .with(VERSION, version + 1)
            .build();
    return Optional.of(
        Write.put(after, version == 0 ? Condition.absent() : Condition.equal(VERSION, version)));
  }

  private static JsonNode fields(Optional<Item> record) {
    return record.map(item -> Json.read(item.text(DOC))).orElseGet(Json::object);
  }

  private static @Nullable String entity(JsonNode args) {
    return Stream.of("order", "record", "service")
        .map(name -> args.path(name).textValue())
        .filter(name -> name != null)
        .findFirst()
        .orElse(null);
  }

  private static Key countKey(Connector connector, @Nullable String entity) {
    return entity == null
        ? new Key(Table.STATE, partition(connector), COUNT)
        : key(connector, COUNT, entity);
  }

  private static Key key(Connector connector, String part, String name) {
    return new Key(Table.STATE, partition(connector), part + "#" + CanonicalJson.sha256(name));
  }

  private static String partition(Connector connector) {
    return connector.partition().key("sandbox#" + connector.id().value());
  }
}
