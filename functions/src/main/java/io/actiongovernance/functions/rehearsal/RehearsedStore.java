package io.actiongovernance.functions.rehearsal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The store in memory, by way of the tables' client: what is asked of it is asked of the tables
 * too, which answer what the memory has answered. So the client makes every request and reads every
 * answer that it would, and nothing has to understand its expressions. A refusal is told by the
 * memory alone. Not thread-safe.
 */
final class RehearsedStore implements Store {
  private final InMemoryStore memory = new InMemoryStore();
  private final Store tables;
  private final Services services;
  private final TableNames names;

  /**
   * @param tables the tables over the services
   * @param names of the tables
   */
  RehearsedStore(Store tables, Services services, TableNames names) {
    this.tables = tables;
    this.services = services;
    this.names = names;
  }

  /** All that is stored in a table. */
  List<Item> everything(Table table) {
    return memory.everything().stream().filter(item -> item.key().table() == table).toList();
  }

  @Override
  public Optional<Item> get(Key key) {
    return answered(memory.get(key).stream().toList(), () -> tables.get(key));
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return answered(memory.getAll(keys), () -> tables.getAll(keys));
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return transacted(keys);
  }

  @Override
  public Slice query(Query query) {
    // The tables are asked for more than is wanted, to know whether there is more.
    List<Item> found = memory.query(query.limit(query.limit() + 1)).items();
    return answered(found, () -> tables.query(query));
  }

  @Override
  public Written write(Write write) {
    return switch (memory.write(write)) {
      case Written.Done(Optional<Item> after) ->
          answered(after.stream().toList(), () -> tables.write(write));
      case Written.Refused refused -> refused;
    };
  }

  @Override
  public Transacted transact(List<Write> writes) {
    Transacted transacted = memory.transact(writes);
    return transacted.done() ? answered(List.of(), () -> tables.transact(writes)) : transacted;
  }

  private Optional<Map<Key, Item>> transacted(List<Key> keys) {
    ObjectNode answer = Json.object();
    for (Key key : keys) {
      ObjectNode response = answer.withArray("Responses").addObject();
      memory.get(key).ifPresent(item -> response.set("Item", json(item)));
    }
    return services.answering(answer, () -> tables.snapshot(keys));
  }

  /** Has the tables answer with the items, in the form of every operation at once. */
  private <T> T answered(List<Item> items, Supplier<T> requests) {
    ObjectNode answer = Json.object();
    for (Item item : items) {
      JsonNode json = json(item);
      answer.set("Item", json);
      answer.set("Attributes", json);
      answer.withArray("Items").add(json);
      answer.withObject("Responses").withArray(names.of(item.key().table())).add(json);
    }
    return services.answering(answer, requests);
  }

  private static JsonNode json(Item item) {
    ObjectNode json = Json.object();
    Attributes.of(item).forEach((name, value) -> json.set(name, json(value)));
    return json;
  }

  private static JsonNode json(AttributeValue value) {
    return switch (value.type()) {
      case S -> Json.object().put("S", value.s());
      case N -> Json.object().put("N", value.n());
      case B -> Json.object().put("B", value.b().asByteArray());
      case SS -> Json.tree(Map.of("SS", value.ss()));
      default -> throw new IllegalArgumentException("No attribute of an item: " + value.type());
    };
  }
}
