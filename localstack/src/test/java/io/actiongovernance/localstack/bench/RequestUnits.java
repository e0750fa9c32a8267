package io.actiongovernance.localstack.bench;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.toSet;

import io.actiongovernance.functions.aws.Attributes;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.ItemSize;
import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactGetItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The units that a request takes on AWS, by the partition keys that serve it. They are worked out
 * from the items, since DynamoDB Local tells no keys, miscounts transactions, and counts nothing
 * for what it does not find.
 *
 * <ul>
 *   <li>An item that is written: one for each begun kilobyte, as it was or as it is, whichever is
 *       larger; twice that in a transaction, whose checks are writes too.
 *   <li>An index entry: one for each begun kilobyte where it is made, changed or taken away, both
 *       if it moved; no more than that in a transaction (so measured against AWS by the suite
 *       {@code dynamodb-conformance} in 2026).
 *   <li>What is read: one for each begun four kilobytes, of every item, or of all that one query
 *       reads; half of that where it may be stale, twice in a transaction. What is not there takes
 *       the least.
 *   <li>A write whose condition does not hold: as much as the item that it met. What a cancelled
 *       transaction takes is not in AWS's documents: it is counted as though it had taken effect,
 *       but for the indexes.
 * </ul>
 *
 * <p>Others may write the same items meanwhile; then the sizes may be theirs.
 */
final class RequestUnits {
  private static final int WRITE_UNIT = 1_024;
  private static final int READ_UNIT = 4 * 1_024;
  private static final Pattern EQUALITY = Pattern.compile("(\\S+) = (:\\w+)");

  private final Images images;
  private final String prefix;
  private final SdkRequest request;
  private final int factor;
  private final List<Target> targets;
  private final Map<Target, Item> before;

  /** How items are looked at, which nobody counts. */
  @FunctionalInterface
  interface Images {
    /** The items that there are, by the names of their tables. */
    Map<String, List<Map<String, AttributeValue>>> of(Map<String, KeysAndAttributes> keys);

    /**
     * @param uncounted a client whose requests nobody counts
     */
    static Images of(DynamoDbClient uncounted) {
      return keys -> uncounted.batchGetItem(batch -> batch.requestItems(keys)).responses();
    }
  }

  /** An item that a request writes or checks. */
  private record Target(String tableName, Map<String, AttributeValue> key, After after) {}

  /** What a write leaves. */
  private sealed interface After {
    record Put(Map<String, AttributeValue> item) implements After {}

    record Updated() implements After {}

    record Deleted() implements After {}

    record Checked() implements After {}
  }

  /**
   * Looks at the items that are to be written.
   *
   * @param prefix of the tables' names
   */
  RequestUnits(Images images, String prefix, SdkRequest request) {
    this.images = images;
    this.prefix = prefix;
    this.request = request;
    this.factor = request instanceof TransactWriteItemsRequest ? 2 : 1;
    this.targets = targets(request);
    this.before = lookAt(targets);
  }

  /** What the request took, which was answered. */
  List<KeyUnits> answered(Object response) {
    return switch (request) {
      case GetItemRequest get -> List.of(read(get, (GetItemResponse) response));
      case BatchGetItemRequest batch -> read(batch, (BatchGetItemResponse) response);
      case TransactGetItemsRequest gets -> read(gets, (TransactGetItemsResponse) response);
      case QueryRequest query -> List.of(read(query, (QueryResponse) response));
      default -> written();
    };
  }

  /** What the request took, which was refused by its conditions or met contention. */
  List<KeyUnits> refused() {
    return targets.stream()
        .map(
            target -> {
              Optional<Item> meant =
                  factor > 1 && target.after() instanceof After.Put(Map<String, AttributeValue> put)
                      ? item(table(target.tableName()), put)
                      : Optional.empty();
              return ofItem(target, meant).inVain();
            })
        .toList();
  }

  private List<KeyUnits> written() {
    Map<Target, Item> updated =
        lookAt(targets.stream().filter(target -> target.after() instanceof After.Updated).toList());
    return targets.stream()
        .flatMap(
            target -> {
              Table table = table(target.tableName());
              Optional<Item> was = Optional.ofNullable(before.get(target));
              Optional<Item> is =
                  switch (target.after()) {
                    case After.Put(Map<String, AttributeValue> put) -> item(table, put);
                    case After.Updated() -> Optional.ofNullable(updated.get(target));
                    case After.Deleted() -> Optional.empty();
                    case After.Checked() -> was;
                  };
              return Stream.concat(
                  Stream.of(ofItem(target, is)),
                  table.indexes().stream().flatMap(index -> moved(table, index, was, is)));
            })
        .toList();
  }

  private KeyUnits ofItem(Target target, Optional<Item> is) {
    Table table = table(target.tableName());
    int size = Math.max(size(Optional.ofNullable(before.get(target))), size(is));
    return KeyUnits.written(table, partition(table, target.key()), factor * writeUnits(size));
  }

  private static Stream<KeyUnits> moved(
      Table table, Index index, Optional<Item> itemBefore, Optional<Item> itemAfter) {
    Optional<Item> was = itemBefore.flatMap(item -> entry(index, item));
    Optional<Item> is = itemAfter.flatMap(item -> entry(index, item));
    if (was.equals(is)) {
      return Stream.empty();
    }
    if (was.isPresent()
        && is.isPresent()
        && place(index, was.get()).equals(place(index, is.get()))) {
      return Stream.of(ofEntry(table, index, is.get(), Math.max(size(was), size(is))));
    }
    return Stream.of(was, is)
        .flatMap(Optional::stream)
        .map(entry -> ofEntry(table, index, entry, ItemSize.of(entry)));
  }

  private static KeyUnits ofEntry(Table table, Index index, Item entry, int size) {
    return KeyUnits.written(table, index, entry.text(index.hash()), writeUnits(size));
  }

  /** What an index holds of an item, if it is in it. */
  private static Optional<Item> entry(Index index, Item item) {
    if (!item.has(index.hash()) || range(index, item) == null) {
      return Optional.empty();
    }
    if (index.whole()) {
      return Optional.of(item);
    }
    Map<String, Object> held = new HashMap<>(item.attributes());
    held.keySet().retainAll(List.of(index.hash(), index.range()));
    return Optional.of(new Item(item.key(), held));
  }

  private static List<@Nullable String> place(Index index, Item entry) {
    return Arrays.asList(entry.text(index.hash()), range(index, entry));
  }

  private static @Nullable String range(Index index, Item item) {
    return index.range().equals(Tables.RANGE) ? item.key().range() : item.textOrNull(index.range());
  }

  private KeyUnits read(GetItemRequest get, GetItemResponse response) {
    Table table = table(get.tableName());
    return KeyUnits.read(
        table,
        partition(table, get.key()),
        consistency(get.consistentRead()) * readUnits(size(item(table, response.item()))));
  }

  private List<KeyUnits> read(BatchGetItemRequest batch, BatchGetItemResponse response) {
    List<KeyUnits> units = new ArrayList<>();
    batch
        .requestItems()
        .forEach(
            (name, asked) -> {
              Table table = table(name);
              KeysAndAttributes left = response.unprocessedKeys().get(name);
              Map<Map<String, AttributeValue>, Integer> sizes = new HashMap<>();
              for (Map<String, AttributeValue> found :
                  response.responses().getOrDefault(name, List.of())) {
                sizes.put(key(table, found), size(item(table, found)));
              }
              for (Map<String, AttributeValue> key : asked.keys()) {
                if (left == null || !left.keys().contains(key)) {
                  double each = readUnits(sizes.getOrDefault(key, 0));
                  units.add(
                      KeyUnits.read(
                          table,
                          partition(table, key),
                          consistency(asked.consistentRead()) * each));
                }
              }
            });
    return units;
  }

  private List<KeyUnits> read(TransactGetItemsRequest gets, TransactGetItemsResponse response) {
    List<KeyUnits> units = new ArrayList<>();
    for (int at = 0; at < gets.transactItems().size(); at++) {
      var get = gets.transactItems().get(at).get();
      Table table = table(get.tableName());
      int size = size(item(table, response.responses().get(at).item()));
      units.add(KeyUnits.read(table, partition(table, get.key()), 2 * readUnits(size)));
    }
    return units;
  }

  private KeyUnits read(QueryRequest query, QueryResponse response) {
    Table table = table(query.tableName());
    int size = response.items().stream().mapToInt(found -> size(item(table, found))).sum();
    double units = consistency(query.consistentRead()) * readUnits(size);
    String index = query.indexName();
    return index == null
        ? KeyUnits.read(table, equal(query, keyName(table)), units)
        : KeyUnits.read(table, table.index(index), equal(query, index), units);
  }

  /** The text that a query asks an attribute to be equal to. */
  private static String equal(QueryRequest query, String attribute) {
    Matcher equality = EQUALITY.matcher(query.keyConditionExpression());
    while (equality.find()) {
      String name = equality.group(1);
      if (attribute.equals(query.expressionAttributeNames().getOrDefault(name, name))) {
        return text(query.expressionAttributeValues(), equality.group(2));
      }
    }
    throw new IllegalArgumentException("A query without " + attribute + ": " + query);
  }

  private static List<Target> targets(SdkRequest request) {
    return switch (request) {
      case GetItemRequest _, BatchGetItemRequest _, TransactGetItemsRequest _, QueryRequest _ ->
          List.of();
      case PutItemRequest put -> List.of(put(put.tableName(), put.item()));
      case UpdateItemRequest update ->
          List.of(new Target(update.tableName(), update.key(), new After.Updated()));
      case DeleteItemRequest delete ->
          List.of(new Target(delete.tableName(), delete.key(), new After.Deleted()));
      case TransactWriteItemsRequest transaction ->
          transaction.transactItems().stream().map(RequestUnits::target).toList();
      default -> throw new IllegalArgumentException("Nobody knows what this takes: " + request);
    };
  }

  private static Target target(TransactWriteItem item) {
    if (item.put() != null) {
      return put(item.put().tableName(), item.put().item());
    }
    if (item.update() != null) {
      return new Target(item.update().tableName(), item.update().key(), new After.Updated());
    }
    return item.delete() != null
        ? new Target(item.delete().tableName(), item.delete().key(), new After.Deleted())
        : new Target(
            item.conditionCheck().tableName(), item.conditionCheck().key(), new After.Checked());
  }

  private static Target put(String tableName, Map<String, AttributeValue> item) {
    return new Target(tableName, item, new After.Put(item));
  }

  /** The items that there are, with one request, so that what is counted loses little time. */
  private Map<Target, Item> lookAt(List<Target> wanted) {
    Map<Target, Item> seen = new HashMap<>();
    if (wanted.isEmpty()) {
      return seen;
    }
    Map<String, KeysAndAttributes> keys = new HashMap<>();
    wanted.stream()
        .collect(groupingBy(Target::tableName, mapping(this::key, toSet())))
        .forEach(
            (name, all) ->
                keys.put(name, KeysAndAttributes.builder().keys(all).consistentRead(true).build()));
    Map<String, List<Map<String, AttributeValue>>> found = images.of(keys);
    for (Target target : wanted) {
      Table table = table(target.tableName());
      found.getOrDefault(target.tableName(), List.of()).stream()
          .filter(stored -> key(table, stored).equals(key(target)))
          .findFirst()
          .flatMap(stored -> item(table, stored))
          .ifPresent(item -> seen.put(target, item));
    }
    return seen;
  }

  private Map<String, AttributeValue> key(Target target) {
    return key(table(target.tableName()), target.key());
  }

  private Table table(String wireName) {
    return Arrays.stream(Table.values())
        .filter(table -> table.wireName(prefix).equals(wireName))
        .findFirst()
        .orElseThrow();
  }

  private static String keyName(Table table) {
    return table == Table.IDEMPOTENCY ? Tables.IDEMPOTENCY_KEY : Tables.PARTITION;
  }

  private static String partition(Table table, Map<String, AttributeValue> keyed) {
    return text(keyed, keyName(table));
  }

  private static String text(Map<String, AttributeValue> values, String name) {
    return Objects.requireNonNull(values.get(name)).s();
  }

  /** The key in an item. */
  private static Map<String, AttributeValue> key(Table table, Map<String, AttributeValue> item) {
    Map<String, AttributeValue> key = new HashMap<>(item);
    Collection<String> names =
        table == Table.IDEMPOTENCY
            ? List.of(keyName(table))
            : List.of(keyName(table), Tables.RANGE);
    key.keySet().retainAll(names);
    return key;
  }

  /** The item that was stored, if any was; that of a table without sort keys gets one. */
  private static Optional<Item> item(Table table, Map<String, AttributeValue> stored) {
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    Map<String, AttributeValue> keyed = new HashMap<>(stored);
    keyed.put(Tables.PARTITION, keyed.remove(keyName(table)));
    keyed.putIfAbsent(Tables.RANGE, AttributeValue.fromS("-"));
    return Optional.of(Attributes.item(table, keyed));
  }

  private static int size(Optional<Item> item) {
    return item.map(ItemSize::of).orElse(0);
  }

  private static double writeUnits(int bytes) {
    return Math.max(1, Math.ceilDiv(bytes, WRITE_UNIT));
  }

  private static double readUnits(int bytes) {
    return Math.max(1, Math.ceilDiv(bytes, READ_UNIT));
  }

  private static double consistency(@Nullable Boolean consistent) {
    return Boolean.TRUE.equals(consistent) ? 1 : 0.5;
  }
}
