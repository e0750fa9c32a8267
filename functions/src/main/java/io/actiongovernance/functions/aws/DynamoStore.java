package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * The store on DynamoDB. A read, a write and a transaction are one request each; {@link #getAll}
 * makes one request for every hundred keys. A query of an index that holds only keys needs one more
 * request for the items. Requests that are put off are repeated with jitter ({@link Attempts}); a
 * request that still fails throws {@link StoreUnavailable}. Thread-safe.
 *
 * <p>The client repeats a single write whose response was lost. If the repetition's condition
 * fails, the first attempt may be the cause, so the result is unavailable, not refused. A
 * transaction carries a token by which DynamoDB recognizes the repetition.
 */
public final class DynamoStore implements Store {
  private static final int BATCH = 100;

  private final DynamoDbClient client;
  private final TableNames names;
  private final Pauses pauses;

  /**
   * @param prefix the prefix of the tables' names, if no table has been restored
   */
  public DynamoStore(DynamoDbClient client, String prefix) {
    this(client, TableNames.of(prefix));
  }

  public DynamoStore(DynamoDbClient client, TableNames names) {
    this(client, names, Pauses.real());
  }

  DynamoStore(DynamoDbClient client, TableNames names, Pauses pauses) {
    this.client = client;
    this.names = names;
    this.pauses = pauses;
  }

  @Override
  public Optional<Item> get(Key key) {
    Map<String, AttributeValue> stored =
        answered(
            key,
            () ->
                client
                    .getItem(
                        get ->
                            get.tableName(names.of(key.table()))
                                .key(Attributes.key(key))
                                .consistentRead(true))
                    .item());
    return Attributes.found(key.table(), stored);
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    List<Key> distinct = keys.stream().distinct().toList();
    Map<Key, Item> found = new HashMap<>();
    for (int from = 0; from < distinct.size(); from += BATCH) {
      batch(distinct.subList(from, Math.min(from + BATCH, distinct.size())))
          .forEach(item -> found.put(item.key(), item));
    }
    return keys.stream()
        .map(key -> Optional.ofNullable(found.get(key)))
        .flatMap(Optional::stream)
        .toList();
  }

  private List<Item> batch(List<Key> keys) {
    Map<String, Table> tables =
        keys.stream()
            .map(Key::table)
            .distinct()
            .collect(Collectors.toMap(names::of, table -> table));
    Map<String, KeysAndAttributes> wanted = new HashMap<>();
    tables.forEach(
        (name, table) ->
            wanted.put(
                name,
                KeysAndAttributes.builder()
                    .consistentRead(true)
                    .keys(
                        keys.stream()
                            .filter(key -> key.table() == table)
                            .map(Attributes::key)
                            .toList())
                    .build()));
    List<Item> items = new ArrayList<>();
    Attempts attempts = new Attempts(pauses);
    Map<String, KeysAndAttributes> left = wanted;
    while (true) {
      Map<String, KeysAndAttributes> asked = left;
      BatchGetItemResponse answer =
          answered(keys, attempts, () -> client.batchGetItem(batch -> batch.requestItems(asked)));
      answer
          .responses()
          .forEach(
              (name, stored) ->
                  stored.forEach(one -> items.add(Attributes.item(tableNamed(tables, name), one))));
      // A response has at most 16 MB; three requests can read a batch of the largest items.
      left = answer.unprocessedKeys();
      if (left.isEmpty()) {
        return items;
      }
      if (!attempts.goOnAfterPart()) {
        throw new StoreUnavailable("DynamoDB did not read all of a batch.", null);
      }
    }
  }

  private static Table tableNamed(Map<String, Table> tables, String name) {
    return Optional.ofNullable(tables.get(name)).orElseThrow();
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    List<TransactGetItem> gets =
        keys.stream()
            .map(
                key ->
                    TransactGetItem.builder()
                        .get(get -> get.tableName(names.of(key.table())).key(Attributes.key(key)))
                        .build())
            .toList();
    TransactGetItemsRequest request = TransactGetItemsRequest.builder().transactItems(gets).build();
    try {
      List<ItemResponse> answers =
          new Attempts(pauses).make(() -> client.transactGetItems(request)).responses();
      Map<Key, Item> found = new HashMap<>();
      for (int at = 0; at < answers.size(); at++) {
        Key key = keys.get(at);
        Attributes.found(key.table(), answers.get(at).item())
            .ifPresent(item -> found.put(key, item));
      }
      return Optional.of(found);
    } catch (TransactionCanceledException e) {
      if (Transactions.isContended(e)) {
        return Optional.empty();
      }
      throw failure(keys, e);
    } catch (SdkException e) {
      throw failure(keys, e);
    }
  }

  @Override
  public Slice query(Query query) {
    return new RangeRead(query, names)
        .run(
            request ->
                answered(query.table() + " " + query.partition(), () -> client.query(request)),
            this::wholeItems);
  }

  @Override
  public int count(Query query) {
    return new RangeRead(query, names)
        .count(
            request ->
                answered(query.table() + " " + query.partition(), () -> client.query(request)));
  }

  private List<Item> wholeItems(List<Item> entries) {
    return getAll(entries.stream().map(Item::key).toList());
  }

  @Override
  public Written write(Write write) {
    if (write instanceof Write.Check(Key key, Condition condition)) {
      return check(key, condition);
    }
    Attempts attempts = new Attempts(pauses);
    try {
      Map<String, AttributeValue> after = attempts.make(() -> send(write));
      return new Written.Done(Attributes.found(write.key().table(), after));
    } catch (ConditionalCheckFailedException e) {
      if (attempts.inDoubt()) {
        throw new StoreUnavailable(
            "A repeated write was refused, perhaps by its own first attempt.", e);
      }
      return new Written.Refused(Attributes.found(write.key().table(), e.item()));
    } catch (SdkException e) {
      throw failure(write.key(), e);
    }
  }

  private Map<String, AttributeValue> send(Write write) {
    Expressions expressions = new Expressions();
    String condition = expressions.condition(write.condition());
    String table = names.of(write.key().table());
    return switch (write) {
      case Write.Put(Item item, Condition _) -> {
        Map<String, AttributeValue> attributes = Attributes.of(item);
        client.putItem(
            put ->
                put.tableName(table)
                    .item(attributes)
                    .conditionExpression(condition)
                    .expressionAttributeNames(expressions.names())
                    .expressionAttributeValues(expressions.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD));
        yield attributes;
      }
      case Write.Update(Key key, List<Change> changes, Condition _) -> {
        String update = expressions.update(changes);
        yield client
            .updateItem(
                item ->
                    item.tableName(table)
                        .key(Attributes.key(key))
                        .updateExpression(update)
                        .conditionExpression(condition)
                        .expressionAttributeNames(expressions.names())
                        .expressionAttributeValues(expressions.values())
                        .returnValues(ReturnValue.ALL_NEW)
                        .returnValuesOnConditionCheckFailure(
                            ReturnValuesOnConditionCheckFailure.ALL_OLD))
            .attributes();
      }
      case Write.Delete(Key key, Condition _) -> {
        client.deleteItem(
            delete ->
                delete
                    .tableName(table)
                    .key(Attributes.key(key))
                    .conditionExpression(condition)
                    .expressionAttributeNames(expressions.names())
                    .expressionAttributeValues(expressions.values())
                    .returnValuesOnConditionCheckFailure(
                        ReturnValuesOnConditionCheckFailure.ALL_OLD));
        yield Map.of();
      }
      case Write.Check _ -> throw new IllegalArgumentException("A check is sent as a transaction");
    };
  }

  private Written check(Key key, Condition condition) {
    return switch (transact(List.of(Write.check(key, condition)))) {
      case Transacted.Done _ -> new Written.Done(get(key));
      case Transacted.Refused refused -> new Written.Refused(refused.refusals().getFirst().found());
      case Transacted.Contended _ ->
          throw new StoreUnavailable("Another transaction holds the item.", null);
    };
  }

  @Override
  public Transacted transact(List<Write> writes) {
    checkTransaction(writes);
    // Always in table order: DynamoDB Local locks tables in the order it meets them. Two
    // transactions that name them in different orders would deadlock.
    List<Transactions.Sent> sent =
        IntStream.range(0, writes.size())
            .mapToObj(position -> new Transactions.Sent(position, writes.get(position)))
            .sorted(Comparator.comparing(one -> one.write().key().table()))
            .toList();
    TransactWriteItemsRequest request =
        TransactWriteItemsRequest.builder()
            .transactItems(sent.stream().map(one -> Transactions.item(one.write(), names)).toList())
            // The same token for all attempts: with a new one, DynamoDB would see a new
            // transaction.
            .clientRequestToken(UUID.randomUUID().toString())
            .build();
    try {
      TransactWriteItemsResponse unused =
          new Attempts(pauses).make(() -> client.transactWriteItems(request));
      return new Transacted.Done();
    } catch (TransactionCanceledException e) {
      return Transactions.outcome(sent, e);
    } catch (SdkException e) {
      throw failure(writes.stream().map(Write::key).toList(), e);
    }
  }

  private static void checkTransaction(List<Write> writes) {
    if (writes.isEmpty() || writes.size() > MAX_TRANSACTION) {
      throw new IllegalArgumentException(
          "A transaction takes 1 to 100 writes, not " + writes.size());
    }
    if (writes.stream().map(Write::key).distinct().count() != writes.size()) {
      throw new IllegalArgumentException("A transaction writes each item once");
    }
  }

  /**
   * @param what the requested item, which errors name
   */
  private <T> T answered(Object what, Supplier<T> request) {
    return answered(what, new Attempts(pauses), request);
  }

  private static <T> T answered(Object what, Attempts attempts, Supplier<T> request) {
    try {
      return attempts.make(request);
    } catch (SdkException e) {
      throw failure(what, e);
    }
  }

  private static RuntimeException failure(Object what, SdkException e) {
    if (!(e instanceof DynamoDbException answer)) {
      return new StoreUnavailable("DynamoDB did not answer.", e);
    }
    return Malformed.is(answer)
        ? Malformed.request(what, answer.awsErrorDetails().errorMessage(), answer)
        : new StoreUnavailable("DynamoDB did not serve the request.", answer);
  }
}
