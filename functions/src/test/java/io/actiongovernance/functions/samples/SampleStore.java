package io.actiongovernance.functions.samples;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.priming.AnsweredAws.Answer;
import io.actiongovernance.functions.priming.Recording;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * The store in memory, by way of the tables' client: what is asked of it is asked of the tables
 * too, which answer what the memory has answered. So the client makes every request and reads every
 * answer that it would, and nothing has to understand its expressions. Not thread-safe.
 */
final class SampleStore implements Store {
  private static final int REFUSED = 400;
  private static final String ERROR = "com.amazonaws.dynamodb.v20120810#";

  private final InMemoryStore memory;
  private final Store tables;
  private final SampleAws aws;
  private final TableNames names;

  /**
   * @param tables the tables over AWS
   * @param names of the tables
   */
  SampleStore(InMemoryStore memory, Store tables, SampleAws aws, TableNames names) {
    this.memory = memory;
    this.tables = tables;
    this.aws = aws;
    this.names = names;
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
    ObjectNode answer = Json.object();
    for (Key key : keys) {
      ObjectNode response = answer.withArray("Responses").addObject();
      memory.get(key).ifPresent(item -> response.set("Item", Recording.json(item)));
    }
    return aws.answering(Answer.ok(answer), () -> tables.snapshot(keys));
  }

  @Override
  public Slice query(Query query) {
    return answered(found(query), () -> tables.query(query));
  }

  @Override
  public int count(Query query) {
    return answered(memory.query(query).items(), () -> tables.count(query));
  }

  /** The tables are asked for more than is wanted, to know whether there is more. */
  private List<Item> found(Query query) {
    return memory.query(query.limit(query.limit() + 1)).items();
  }

  @Override
  public Written write(Write write) {
    return switch (memory.write(write)) {
      case Written.Done(Optional<Item> after) ->
          answered(after.stream().toList(), () -> tables.write(write));
      case Written.Refused(Optional<Item> found) ->
          write instanceof Write.Check
              ? aws.answering(
                  cancelled(List.of(write), List.of(new Refusal(0, found))),
                  () -> tables.write(write))
              : aws.answering(refused(found), () -> tables.write(write));
    };
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return switch (memory.transact(writes)) {
      case Transacted.Refused(List<Refusal> refusals) ->
          aws.answering(cancelled(writes, refusals), () -> tables.transact(writes));
      case Transacted transacted -> answered(List.of(), () -> tables.transact(writes));
    };
  }

  private static Answer refused(Optional<Item> found) {
    ObjectNode error = Json.object().put("__type", ERROR + "ConditionalCheckFailedException");
    found.ifPresent(item -> error.set("Item", Recording.json(item)));
    return new Answer(REFUSED, error);
  }

  /** The tables are told the writes table by table, and answer them in that order. */
  private static Answer cancelled(List<Write> writes, List<Refusal> refusals) {
    ObjectNode error = Json.object().put("__type", ERROR + "TransactionCanceledException");
    ArrayNode reasons = error.putArray("CancellationReasons");
    IntStream.range(0, writes.size())
        .boxed()
        .sorted(Comparator.comparing((Integer at) -> writes.get(at).key().table()))
        .forEach(
            at -> {
              ObjectNode reason = reasons.addObject().put("Code", "None");
              for (Refusal refusal : refusals) {
                if (refusal.position() == at) {
                  reason.put("Code", "ConditionalCheckFailed");
                  refusal.found().ifPresent(item -> reason.set("Item", Recording.json(item)));
                }
              }
            });
    return new Answer(REFUSED, error);
  }

  /** Has the tables answer with the items, in the form of every operation at once. */
  private <T> T answered(List<Item> items, Supplier<T> requests) {
    ObjectNode answer = Json.object().put("Count", items.size());
    for (Item item : items) {
      ObjectNode json = Recording.json(item);
      answer.set("Item", json);
      answer.set("Attributes", json);
      answer.withArray("Items").add(json);
      answer.withObject("Responses").withArray(names.of(item.key().table())).add(json);
    }
    return aws.answering(Answer.ok(answer), requests);
  }
}
