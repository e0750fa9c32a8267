package io.actiongovernance.localstack.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.actiongovernance.store.Index;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;

/**
 * The write units that a transaction takes on AWS, which DynamoDB Local miscounts: two for each
 * begun kilobyte of every item that it writes or checks, as it was or as it is, whichever is
 * larger; and what any write costs an index, once: an entry made or taken away, both if it moved.
 * (So measured against AWS by the suite {@code dynamodb-conformance} in 2026.)
 */
final class TransactionUnits {
  private static final Set<String> KEY = Set.of("pk", "sk");

  private final DynamoDbClient dynamo;
  private final String prefix;
  private final List<Target> targets;
  private final List<Map<String, AttributeValue>> before;

  /** An item of a transaction. */
  private record Target(String table, Map<String, AttributeValue> key) {}

  /**
   * Looks at the items before the transaction.
   *
   * @param dynamo a client whose requests nobody counts
   * @param prefix of the tables' names
   */
  TransactionUnits(DynamoDbClient dynamo, String prefix, TransactWriteItemsRequest request) {
    this.dynamo = dynamo;
    this.prefix = prefix;
    this.targets = request.transactItems().stream().map(TransactionUnits::target).toList();
    this.before = images();
  }

  /** The units, after the transaction took effect. */
  double count() {
    List<Map<String, AttributeValue>> after = images();
    double units = 0;
    for (int at = 0; at < targets.size(); at++) {
      Map<String, AttributeValue> was = before.get(at);
      Map<String, AttributeValue> is = after.get(at);
      units += 2 * kilobytes(Math.max(size(was), size(is)));
      for (Index index : table(targets.get(at).table()).indexes()) {
        units += moved(entry(index, was), entry(index, is));
      }
    }
    return units;
  }

  private List<Map<String, AttributeValue>> images() {
    return targets.stream()
        .map(
            target ->
                dynamo
                    .getItem(
                        get -> get.tableName(target.table()).key(target.key()).consistentRead(true))
                    .item())
        .toList();
  }

  private static Target target(TransactWriteItem item) {
    if (item.put() != null) {
      return new Target(item.put().tableName(), only(item.put().item(), KEY));
    }
    if (item.update() != null) {
      return new Target(item.update().tableName(), item.update().key());
    }
    return item.delete() != null
        ? new Target(item.delete().tableName(), item.delete().key())
        : new Target(item.conditionCheck().tableName(), item.conditionCheck().key());
  }

  private Table table(String wireName) {
    return Arrays.stream(Table.values())
        .filter(table -> table.wireName(prefix).equals(wireName))
        .findFirst()
        .orElseThrow();
  }

  /** What an index holds of an item, empty if it is not in it. */
  private static Map<String, AttributeValue> entry(Index index, Map<String, AttributeValue> item) {
    if (!item.containsKey(index.hash()) || !item.containsKey(index.range())) {
      return Map.of();
    }
    Set<String> keys =
        Stream.concat(KEY.stream(), Stream.of(index.hash(), index.range()))
            .collect(Collectors.toSet());
    return index.whole() ? item : only(item, keys);
  }

  private static double moved(Map<String, AttributeValue> was, Map<String, AttributeValue> is) {
    if (was.equals(is)) {
      return 0;
    }
    return (was.isEmpty() ? 0 : kilobytes(size(was))) + (is.isEmpty() ? 0 : kilobytes(size(is)));
  }

  private static Map<String, AttributeValue> only(
      Map<String, AttributeValue> item, Set<String> names) {
    return item.entrySet().stream()
        .filter(attribute -> names.contains(attribute.getKey()))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private static double kilobytes(int bytes) {
    return Math.max(1, Math.ceilDiv(bytes, 1024));
  }

  private static int size(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .mapToInt(attribute -> bytes(attribute.getKey()) + size(attribute.getValue()))
        .sum();
  }

  /** Our items hold texts, numbers and sets of texts. */
  private static int size(AttributeValue value) {
    return switch (value.type()) {
      case S -> bytes(value.s());
      case N -> value.n().length() / 2 + 2;
      case SS -> value.ss().stream().mapToInt(TransactionUnits::bytes).sum();
      default -> throw new IllegalArgumentException("An item holds a " + value.type());
    };
  }

  private static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(UTF_8).length;
  }
}
