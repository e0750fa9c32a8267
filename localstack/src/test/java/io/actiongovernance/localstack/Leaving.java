package io.actiongovernance.localstack;

import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Which rows say that they may leave their table, whichever attribute time to live goes by: what
 * lives for days says it in both, what is archived in the archive's, and nothing else in either.
 */
final class Leaving {
  /** What an archive takes, once it has ended; marks of scheduled runs, which nobody keeps. */
  private static final Set<String> ARCHIVED =
      Set.of("action", "approval", "plan", "plan-entity", "plan-exchange", "vote", "proposal");

  private Leaving() {}

  /** The kinds of rows of which one says something else, and what. */
  static Set<String> wrong(DynamoDbClient dynamo, String prefix) {
    Set<String> wrong = new TreeSet<>();
    for (Table table : Set.of(Table.STATE, Table.RECEIPTS)) {
      String name = table.wireName(prefix);
      for (Map<String, AttributeValue> row :
          dynamo.scanPaginator(scan -> scan.tableName(name)).items()) {
        AttributeValue days = row.get(Table.EXPIRES);
        AttributeValue archive = row.get(Retention.ARCHIVE_EXPIRES);
        String kind = kind(Objects.requireNonNull(row.get("pk")).s());
        if (days != null && !days.equals(archive)) {
          wrong.add(kind + " lives for days, and would stay for good");
        }
        if (days == null && archive != null && table == Table.STATE && !ARCHIVED.contains(kind)) {
          wrong.add(kind + " is not archived, and would leave");
        }
      }
    }
    return wrong;
  }

  /** What its partition's key says after tenant and mode. */
  private static String kind(String partition) {
    return Arrays.stream(partition.split("#", -1))
        .filter(part -> part.matches("[a-z][a-z_-]*") && !Set.of("live", "test").contains(part))
        .findFirst()
        .orElse(partition);
  }
}
