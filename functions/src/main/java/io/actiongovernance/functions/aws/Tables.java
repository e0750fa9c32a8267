package io.actiongovernance.functions.aws;

import io.actiongovernance.store.Index;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ProjectionType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.model.TimeToLiveStatus;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;

/**
 * The DynamoDB form of each {@link Table}, for local stack and tests. A deployment creates equal
 * tables.
 */
public final class Tables {
  /** The partition key of every table but {@link Table#IDEMPOTENCY}. */
  public static final String PARTITION = "pk";

  /** The sort key of every table but {@link Table#IDEMPOTENCY}. */
  public static final String RANGE = "sk";

  /** The only key attribute of {@link Table#IDEMPOTENCY}, as its library requires. */
  public static final String IDEMPOTENCY_KEY = "id";

  private Tables() {}

  public static void create(DynamoDbClient client, String prefix) {
    create(client, TableNames.of(prefix));
  }

  public static void create(DynamoDbClient client, TableNames names) {
    for (Table table : Table.values()) {
      try {
        client.createTable(request(table, names));
      } catch (ResourceInUseException alreadyThere) {
        continue;
      }
      client.waiter().waitUntilTableExists(wanted -> wanted.tableName(names.of(table)));
    }
  }

  /**
   * Enables the deletion of expired items if it is off. This is separate from {@link #create}
   * because items are deleted by the real clock, and tests use another one.
   */
  public static void letExpire(DynamoDbClient client, TableNames names) {
    for (Table table : Table.values()) {
      if (expires(table) && !isExpiring(client, names.of(table))) {
        client.updateTimeToLive(expiry(names.of(table)));
      }
    }
  }

  private static boolean isExpiring(DynamoDbClient client, String table) {
    TimeToLiveStatus status =
        client
            .describeTimeToLive(request -> request.tableName(table))
            .timeToLiveDescription()
            .timeToLiveStatus();
    return status == TimeToLiveStatus.ENABLED || status == TimeToLiveStatus.ENABLING;
  }

  /**
   * Returns whether items of the table may be deleted once {@link Table#EXPIRES} has passed.
   * Receipts and effect claims may never be.
   */
  public static boolean expires(Table table) {
    return table != Table.RECEIPTS && table != Table.EFFECTS;
  }

  /** The request that creates one table, billed per request. */
  public static CreateTableRequest request(Table table, TableNames names) {
    CreateTableRequest.Builder request =
        CreateTableRequest.builder()
            .tableName(names.of(table))
            .billingMode(BillingMode.PAY_PER_REQUEST)
            .attributeDefinitions(definitions(table))
            .keySchema(key(table));
    if (!table.indexes().isEmpty()) {
      request.globalSecondaryIndexes(table.indexes().stream().map(Tables::index).toList());
    }
    if (table.streamed()) {
      request.streamSpecification(
          stream -> stream.streamEnabled(true).streamViewType(StreamViewType.NEW_AND_OLD_IMAGES));
    }
    return request.build();
  }

  private static UpdateTimeToLiveRequest expiry(String table) {
    return UpdateTimeToLiveRequest.builder()
        .tableName(table)
        .timeToLiveSpecification(expiry -> expiry.attributeName(Table.EXPIRES).enabled(true))
        .build();
  }

  private static List<KeySchemaElement> key(Table table) {
    return table == Table.IDEMPOTENCY
        ? List.of(element(IDEMPOTENCY_KEY, KeyType.HASH))
        : List.of(element(PARTITION, KeyType.HASH), element(RANGE, KeyType.RANGE));
  }

  private static GlobalSecondaryIndex index(Index index) {
    return GlobalSecondaryIndex.builder()
        .indexName(index.hash())
        .keySchema(element(index.hash(), KeyType.HASH), element(index.range(), KeyType.RANGE))
        .projection(projection -> projection.projectionType(projectionType(index)))
        .build();
  }

  public static ProjectionType projectionType(Index index) {
    return index.whole() ? ProjectionType.ALL : ProjectionType.KEYS_ONLY;
  }

  private static List<AttributeDefinition> definitions(Table table) {
    Set<String> names = new LinkedHashSet<>();
    key(table).forEach(element -> names.add(element.attributeName()));
    for (Index index : table.indexes()) {
      names.add(index.hash());
      names.add(index.range());
    }
    return names.stream().map(Tables::text).toList();
  }

  private static AttributeDefinition text(String name) {
    return AttributeDefinition.builder()
        .attributeName(name)
        .attributeType(ScalarAttributeType.S)
        .build();
  }

  private static KeySchemaElement element(String name, KeyType type) {
    return KeySchemaElement.builder().attributeName(name).keyType(type).build();
  }
}
