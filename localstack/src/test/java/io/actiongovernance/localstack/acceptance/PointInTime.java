package io.actiongovernance.localstack.acceptance;

import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.PutRequest;
import software.amazon.awssdk.services.dynamodb.model.WriteRequest;

/**
 * The rows of all tables at one moment: what point-in-time recovery is on AWS, which DynamoDB Local
 * does not have. A table is made from them as the next generation, without a stream, which it is
 * given once it holds its rows, as a restored one. Immutable.
 */
record PointInTime(Map<Table, List<Map<String, AttributeValue>>> rows) {
  private static final int BATCH = 25;

  /** Remembers the tables as they are. Nothing is to be written meanwhile. */
  static PointInTime now(DynamoDbClient client, TableNames names) {
    Map<Table, List<Map<String, AttributeValue>>> rows = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      rows.put(
          table,
          client
              .scanPaginator(scan -> scan.tableName(names.of(table)).consistentRead(true))
              .items()
              .stream()
              .toList());
    }
    return new PointInTime(rows);
  }

  /** Destroys the table of one generation, and makes the other as it was at this moment. */
  void restore(DynamoDbClient client, Table table, TableNames destroyed, TableNames restored) {
    String name = restored.of(table);
    CreateTableRequest request = Tables.request(table, restored);
    client.createTable(
        request.toBuilder().streamSpecification(none -> none.streamEnabled(false)).build());
    client.waiter().waitUntilTableExists(wanted -> wanted.tableName(name));
    List<Map<String, AttributeValue>> all = rows.getOrDefault(table, List.of());
    for (int at = 0; at < all.size(); at += BATCH) {
      write(client, name, all.subList(at, Math.min(at + BATCH, all.size())));
    }
    if (table.streamed()) {
      client.updateTable(
          change -> change.tableName(name).streamSpecification(request.streamSpecification()));
    }
    client.deleteTable(gone -> gone.tableName(destroyed.of(table)));
  }

  private static void write(
      DynamoDbClient client, String table, List<Map<String, AttributeValue>> rows) {
    List<WriteRequest> puts = new ArrayList<>();
    for (Map<String, AttributeValue> row : rows) {
      puts.add(WriteRequest.builder().putRequest(PutRequest.builder().item(row).build()).build());
    }
    Map<String, List<WriteRequest>> left = Map.of(table, puts);
    while (!left.isEmpty()) {
      Map<String, List<WriteRequest>> asked = left;
      left = client.batchWriteItem(batch -> batch.requestItems(asked)).unprocessedItems();
    }
  }
}
