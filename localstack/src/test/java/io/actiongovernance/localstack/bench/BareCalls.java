package io.actiongovernance.localstack.bench;

import static io.actiongovernance.store.Condition.absent;
import static io.actiongovernance.store.Condition.always;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import software.amazon.awssdk.services.sqs.SqsClient;

/**
 * The floor of a governed action: the store and queue calls that its design needs, as {@code
 * localstack/bench requests} counts them, with items of the same size and nothing else.
 * Thread-safe.
 */
final class BareCalls {
  private static final String DOCUMENT = "x".repeat(1_500);

  private final Store store;
  private final BareQueue queue;

  BareCalls(Store store, SqsClient sqs) {
    this.store = store;
    this.queue = new BareQueue(sqs);
  }

  /**
   * What one unheld action asks for, from its event until its plan is executed. While it has its
   * lock it is the only one of its entity, as every action is.
   */
  void governedAction(Object entity) {
    String id = UUID.randomUUID().toString();
    ingest(id);
    queue.through(id + "-event");
    prepare(id);
    synchronized (entity) {
      claim(id);
      queue.through(id + "-action");
      execute(id);
    }
    finish(id);
  }

  private void ingest(String id) {
    store.get(shared("key"));
    count("rate");
    count("head");
    insert(item(Table.EVENTS, id, "entry"), item(Table.EVENTS, id, "event"));
  }

  private void prepare(String id) {
    store.getAll(
        List.of(
            key(Table.EVENTS, id, "event"),
            key(Table.EVENTS, id, "plans"),
            shared("operators"),
            shared("operator"),
            shared("connectors"),
            shared("connector"),
            shared("halts"),
            shared("allowance")));
    count("head");
  }

  private void claim(String id) {
    insert(
        item(Table.STATE, id, "action"),
        item(Table.STATE, id, "touches"),
        item(Table.EVENTS, id, "plans"),
        indexed(Table.STATE, id, "plan", "by_list", "by_status", "by_operator", "by_parent"),
        indexed(Table.EVENTS, id, "link", "by_entity"),
        item(Table.LIMITS, id, "lock"));
  }

  private void execute(String id) {
    store.getAll(
        List.of(
            key(Table.STATE, id, "action"),
            key(Table.STATE, id, "plan"),
            shared("operator"),
            shared("connector")));
    store.transact(
        List.of(
            Write.put(item(Table.STATE, id, "effect"), absent()),
            Write.check(key(Table.STATE, id, "action"), always())));
    store.get(shared("halts"));
    count("pace");
    store.transact(
        List.of(
            Write.insert(
                indexed(
                    Table.RECEIPTS,
                    id,
                    "receipt",
                    "by_outcome",
                    "by_request",
                    "by_plan",
                    "by_action",
                    "by_event",
                    "by_operator",
                    "by_correlation",
                    "by_entity")),
            Write.update(
                key(Table.STATE, id, "action"), always(), Change.set("disposal", DOCUMENT)),
            Write.update(key(Table.STATE, id, "effect"), always(), Change.set("state", "APPLIED")),
            Write.delete(key(Table.LIMITS, id, "lock"), always()),
            Write.update(
                Key.single(Table.LIMITS, "bench#used#" + id.charAt(0)),
                always(),
                Change.add("used", 1))));
  }

  private void finish(String id) {
    store.query(Query.of(Table.LIMITS, id));
    store.write(
        Write.update(key(Table.STATE, id, "plan"), always(), Change.set("state", "EXECUTED")));
  }

  private void insert(Item... items) {
    store.transact(Arrays.stream(items).map(Write::insert).toList());
  }

  private void count(String what) {
    store.write(
        Write.update(Key.single(Table.LIMITS, "bench#" + what), always(), Change.add("count", 1)));
  }

  private static Key shared(String name) {
    return Key.single(Table.STATE, "bench#" + name);
  }

  private static Key key(Table table, String id, String range) {
    return new Key(table, "bench#" + id, range);
  }

  private static Item item(Table table, String id, String range) {
    return Item.at(key(table, id, range)).with("doc", DOCUMENT).build();
  }

  private static Item indexed(Table table, String id, String range, String... indexes) {
    Item.Builder item = Item.at(key(table, id, range)).with("doc", DOCUMENT).with("ordered", id);
    for (String index : indexes) {
      item.with(index, "bench#" + index);
    }
    return item.build();
  }
}
