package io.actiongovernance.localstack.acceptance.failure;

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
public record PointInTime(Map<Table, List<Map<String, AttributeValue>>> rows) {
  private static final int BATCH = 25;

  /** Remembers the tables as they are. Nothing is to be written meanwhile. */
  public static PointInTime now(DynamoDbClient client, TableNames names) {
    Map<Table, List<Map<String, AttributeValue>>> rows = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      rows.put(table, rows(client, table, names));
    }
    return new PointInTime(rows);
  }

  /** All that a table holds. */
  public static List<Map<String, AttributeValue>> rows(
      DynamoDbClient client, Table table, TableNames names) {
    return client
        .scanPaginator(scan -> scan.tableName(names.of(table)).consistentRead(true))
        .items()
        .stream()
        .toList();
  }

  /** Puts the rows of one generation into another; answers with how many there are. */
  public static int copy(DynamoDbClient client, Table table, TableNames from, TableNames to) {
    List<Map<String, AttributeValue>> all = rows(client, table, from);
    write(client, to.of(table), all);
    return all.size();
  }

  /** Destroys the table of one generation, and makes the other as it was at this moment. */
  public void restore(
      DynamoDbClient client, Table table, TableNames destroyed, TableNames restored) {
    String name = restored.of(table);
    CreateTableRequest request = Tables.request(table, restored);
    client.createTable(
        request.toBuilder().streamSpecification(none -> none.streamEnabled(false)).build());
    client.waiter().waitUntilTableExists(wanted -> wanted.tableName(name));
    write(client, name, rows.getOrDefault(table, List.of()));
    if (table.streamed()) {
      client.updateTable(
          change -> change.tableName(name).streamSpecification(request.streamSpecification()));
    }
    client.deleteTable(gone -> gone.tableName(destroyed.of(table)));
  }

  private static void write(
      DynamoDbClient client, String table, List<Map<String, AttributeValue>> rows) {
    for (int at = 0; at < rows.size(); at += BATCH) {
      batch(client, table, rows.subList(at, Math.min(at + BATCH, rows.size())));
    }
  }

  private static void batch(
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
