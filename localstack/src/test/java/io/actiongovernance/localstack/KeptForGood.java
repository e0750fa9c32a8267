package io.actiongovernance.localstack;

import io.actiongovernance.store.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The rows that time to live never deletes: receipts, and what was governed. */
final class KeptForGood {
  /** The kinds of them in {@link Table#STATE}. */
  private static final Set<String> GOVERNED =
      Set.of("action", "approval", "plan", "plan-entity", "plan-exchange", "vote", "proposal");

  private KeptForGood() {}

  /** The kinds of which a row expires all the same. */
  static Set<String> expiring(DynamoDbClient dynamo, String prefix) {
    Set<String> expiring = new TreeSet<>();
    for (Table table : Set.of(Table.STATE, Table.RECEIPTS)) {
      String name = table.wireName(prefix);
      for (Map<String, AttributeValue> row :
          dynamo.scanPaginator(scan -> scan.tableName(name)).items()) {
        String kind = kind(Objects.requireNonNull(row.get("pk")).s());
        boolean kept = table == Table.RECEIPTS || GOVERNED.contains(kind);
        if (kept && row.containsKey(Table.EXPIRES)) {
          expiring.add(kind);
        }
      }
    }
    return expiring;
  }

  /** What its partition's key says after tenant and mode. */
  private static String kind(String partition) {
    return Arrays.stream(partition.split("#", -1))
        .filter(part -> part.matches("[a-z][a-z_-]*") && !Set.of("live", "test").contains(part))
        .findFirst()
        .orElse(partition);
  }
}
