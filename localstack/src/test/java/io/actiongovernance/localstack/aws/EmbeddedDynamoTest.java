package io.actiongovernance.localstack.aws;

import static org.assertj.core.api.Assertions.assertThat;

import com.almworks.sqlite4java.SQLiteConnection;
import com.almworks.sqlite4java.SQLiteStatement;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the stack asks of the database beyond what DynamoDB Local does by itself. */
final class EmbeddedDynamoTest {
  /** As DynamoDB Local asks when a stream is looked at. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT MIN(SequenceNumber) FROM us WHERE StreamID=?",
        "SELECT SequenceNumber FROM us WHERE ShardID=? ORDER BY SequenceNumber DESC LIMIT 1",
        "SELECT StreamRecord FROM us WHERE StreamID=? AND ShardID=? AND SequenceNumber>=?"
            + " AND CreationDateTime>? ORDER BY SequenceNumber ASC LIMIT ?",
      })
  void aLookAtOneStreamDoesNotReadTheRecordsOfTheOthers(String query, @TempDir Path folder)
      throws Exception {
    try (EmbeddedDynamo _ = new EmbeddedDynamo(folder)) {
      assertThat(plan(folder, query)).startsWith("SEARCH TABLE us USING").contains("INDEX us_by_");
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
