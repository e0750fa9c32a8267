package io.actiongovernance.localstack.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteStatement;
import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** What the stack asks of the database beyond what DynamoDB Local does by itself. */
final class EmbeddedDynamoTest {
  private static final String PREFIX = "governance";

  /** As DynamoDB Local asks when a stream is looked at. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT MIN(SequenceNumber) FROM us WHERE StreamID=?",
        "SELECT SequenceNumber FROM us WHERE ShardID=? ORDER BY SequenceNumber DESC LIMIT 1",
        "SELECT StreamRecord FROM us WHERE StreamID=? AND ShardID=? AND SequenceNumber>=?"
            + " AND CreationDateTime>? ORDER BY SequenceNumber ASC LIMIT ?",
      })
  void pollingOneStreamReadsNoRecordsOfOthers(String query, @TempDir Path folder) throws Exception {
    try (EmbeddedDynamo _ = new EmbeddedDynamo(folder)) {
      assertThat(plan(folder, query)).startsWith("SEARCH TABLE us USING").contains("INDEX us_by_");
    }
  }

  /** A reader goes on after the number that it has come to. */
  @Test
  void aStreamsNumbersContinueAfterItsOldRecordsAreDropped(@TempDir Path folder) throws Exception {
    try (EmbeddedDynamo dynamo = new EmbeddedDynamo(folder)) {
      Tables.create(dynamo.client(), PREFIX);
    }
    String last = numberOfAnother(folder);
    execute(folder, "UPDATE us SET CreationDateTime = CreationDateTime - 1000 * 60 * 60 * 24 * 7");
    assertThat(numberOfAnother(folder)).isGreaterThan(last);
  }

  /** Opens the database, changes something, and yields the number of that change. */
  private static String numberOfAnother(Path folder) {
    String table = Table.STATE.wireName(PREFIX);
    try (EmbeddedDynamo dynamo = new EmbeddedDynamo(folder)) {
      AttributeValue unique = AttributeValue.fromS(UUID.randomUUID().toString());
      dynamo
          .client()
          .putItem(
              put ->
                  put.tableName(table)
                      .item(Map.of(Tables.PARTITION, unique, Tables.RANGE, unique)));
      DynamoDbStreamsClient streams = dynamo.streams();
      String arn =
          dynamo.client().describeTable(it -> it.tableName(table)).table().latestStreamArn();
      Shard shard =
          streams.describeStream(it -> it.streamArn(arn)).streamDescription().shards().getLast();
      String iterator =
          streams
              .getShardIterator(
                  it ->
                      it.streamArn(arn)
                          .shardId(shard.shardId())
                          .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
              .shardIterator();
      return streams
          .getRecords(it -> it.shardIterator(iterator))
          .records()
          .getLast()
          .dynamodb()
          .sequenceNumber();
    }
  }

  private static void execute(Path folder, String statement) throws Exception {
    SQLiteConnection connection = new SQLiteConnection(folder.resolve("governance.db").toFile());
    try {
      connection.open(false);
      // Its last user may still be closing it.
      connection.setBusyTimeout(10_000);
      connection.exec(statement);
    } finally {
      connection.dispose();
    }
  }

  private static String plan(Path folder, String query) throws Exception {
    SQLiteConnection connection = new SQLiteConnection(folder.resolve("governance.db").toFile());
    try {
      connection.open(false);
      SQLiteStatement plan = connection.prepare("EXPLAIN QUERY PLAN " + query);
      assertThat(plan.step()).isTrue();
      return plan.columnString(3);
    } finally {
      connection.dispose();
    }
  }
}
