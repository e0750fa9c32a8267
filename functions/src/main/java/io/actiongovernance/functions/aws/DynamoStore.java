package io.actiongovernance.functions.aws;

import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.TransactionInProgressException;

/**
 * The store on DynamoDB. A read, a write and a transaction are one request each, {@link #getAll}
 * one for every hundred keys, a query of an index that holds keys alone one more for the items.
 * Throttled requests are repeated by the client, with jitter; what still fails is {@link
 * StoreUnavailable}. Thread-safe.
 *
 * <p>The client may also repeat a single write whose answer was lost. If the condition of such a
 * repetition does not hold, that may be the doing of the first attempt, so it is reported as
 * unavailable, not as refused. A transaction carries a token by which DynamoDB recognises the
 * repetition.
 */
public final class DynamoStore implements Store {
  private static final int BATCH = 100;

  private final DynamoDbClient client;
  private final String prefix;

  /**
   * @param prefix what the tables' names begin with
   */
  public DynamoStore(DynamoDbClient client, String prefix) {
    this.client = client;
    this.prefix = prefix;
  }

  @Override
  public Optional<Item> get(Key key) {
    return answered(
        () -> {
          Map<String, AttributeValue> stored =
              client
                  .getItem(
                      get ->
                          get.tableName(key.table().wireName(prefix))
                              .key(Attributes.key(key))
                              .consistentRead(true))
                  .item();
          return item(key.table(), stored);
        });
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
            .collect(Collectors.toMap(table -> table.wireName(prefix), table -> table));
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
    Map<String, KeysAndAttributes> left = wanted;
    // Ends: a batch of which nothing could be read is throttled, and then the client pauses or
    // gives up.
    while (!left.isEmpty()) {
      Map<String, KeysAndAttributes> asked = left;
      var answer = answered(() -> client.batchGetItem(batch -> batch.requestItems(asked)));
      answer
          .responses()
          .forEach(
              (name, stored) ->
                  stored.forEach(one -> items.add(Attributes.item(tableNamed(tables, name), one))));
      left = answer.unprocessedKeys();
    }
    return items;
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
                        .get(
                            get ->
                                get.tableName(key.table().wireName(prefix))
                                    .key(Attributes.key(key)))
                        .build())
            .toList();
    return answered(
        () -> {
          try {
            List<ItemResponse> answers =
                client.transactGetItems(get -> get.transactItems(gets)).responses();
            Map<Key, Item> found = new HashMap<>();
            for (int at = 0; at < answers.size(); at++) {
              Key key = keys.get(at);
              item(key.table(), answers.get(at).hasItem() ? answers.get(at).item() : Map.of())
                  .ifPresent(item -> found.put(key, item));
            }
            return Optional.of(found);
          } catch (TransactionCanceledException e) {
            if (e.cancellationReasons().stream()
                .anyMatch(reason -> "TransactionConflict".equals(reason.code()))) {
              return Optional.empty();
            }
            throw e;
          }
        });
  }

  @Override
  public Slice query(Query query) {
    return answered(() -> new RangeRead(query, prefix).run(client, this::wholeItems));
  }

  private List<Item> wholeItems(List<Item> entries) {
    return getAll(entries.stream().map(Item::key).toList());
  }

  @Override
  public Written write(Write write) {
    if (write instanceof Write.Check(Key key, Condition condition)) {
      return check(key, condition);
    }
    try {
      return answered(() -> new Written.Done(item(write.key().table(), send(write))));
    } catch (Refused refused) {
      return new Written.Refused(refused.found);
    }
  }

  /** A condition that did not hold, on its way out of {@link #answered}. */
  private static final class Refused extends RuntimeException {
    private final transient Optional<Item> found;

    Refused(Optional<Item> found) {
      super("The condition did not hold.", null, false, false);
      this.found = found;
    }
  }

  private Map<String, AttributeValue> send(Write write) {
    Expressions expressions = new Expressions();
    String condition = expressions.condition(write.condition());
    String table = write.key().table().wireName(prefix);
    try {
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
        case Write.Check _ ->
            throw new IllegalArgumentException("A check is sent as a transaction");
      };
    } catch (ConditionalCheckFailedException e) {
      if (e.numAttempts() != null && e.numAttempts() > 1) {
        throw new StoreUnavailable(
            "A repeated write was refused, perhaps by its own first attempt.", e);
      }
      throw new Refused(item(write.key().table(), e.hasItem() ? e.item() : Map.of()));
    }
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
    // Always table by table: DynamoDB Local locks tables in the order it meets them, and two
    // transactions that name them in different orders would wait for each other.
    List<Integer> order =
        IntStream.range(0, writes.size())
            .boxed()
            .sorted(Comparator.comparing(position -> writes.get(position).key().table()))
            .toList();
    List<TransactWriteItem> items =
        order.stream().map(position -> Transactions.item(writes.get(position), prefix)).toList();
    return answered(
        () -> {
          try {
            client.transactWriteItems(transaction -> transaction.transactItems(items));
            return new Transacted.Done();
          } catch (TransactionInProgressException e) {
            return new Transacted.Contended();
          } catch (TransactionCanceledException e) {
            return cancelled(writes, order, e);
          }
        });
  }

  /**
   * A refusal is told as such even beside a conflict: it was found by reading the item, and would
   * stand.
   */
  private static Transacted cancelled(
      List<Write> writes, List<Integer> order, TransactionCanceledException e) {
    List<Refusal> refusals = new ArrayList<>();
    boolean contended = false;
    for (int sent = 0; sent < e.cancellationReasons().size(); sent++) {
      CancellationReason reason = e.cancellationReasons().get(sent);
      int position = order.get(sent);
      switch (reason.code()) {
        case "None" -> {}
        case "ConditionalCheckFailed" ->
            refusals.add(
                new Refusal(
                    position,
                    item(
                        writes.get(position).key().table(),
                        reason.hasItem() ? reason.item() : Map.of())));
        case "TransactionConflict" -> contended = true;
        case "ValidationError", "ItemCollectionSizeLimitExceeded" ->
            throw new IllegalArgumentException("DynamoDB does not take the write " + position, e);
        default -> throw e;
      }
    }
    if (!refusals.isEmpty()) {
      refusals.sort(Comparator.comparing(Refusal::position));
      return new Transacted.Refused(refusals);
    }
    if (contended) {
      return new Transacted.Contended();
    }
    throw e;
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

  private static Optional<Item> item(Table table, Map<String, AttributeValue> stored) {
    return stored.isEmpty() ? Optional.empty() : Optional.of(Attributes.item(table, stored));
  }

  /** A request that DynamoDB calls malformed is a fault of ours, which no repetition mends. */
  private static <T> T answered(Supplier<T> request) {
    try {
      return request.get();
    } catch (DynamoDbException e) {
      if (e.awsErrorDetails() != null
          && "ValidationException".equals(e.awsErrorDetails().errorCode())) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      throw new StoreUnavailable("DynamoDB did not serve the request.", e);
    } catch (SdkException e) {
      throw new StoreUnavailable("DynamoDB did not answer.", e);
    }
  }
}
