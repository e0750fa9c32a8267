package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.functions.aws.Tables;
import io.actiongovernance.localstack.aws.EmbeddedDynamo;
import io.actiongovernance.store.Retention;
import io.actiongovernance.store.Table;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What each kind of row has, of all that a tenant of every kind has stored. */
final class StoredFormSpec {
  static List<StoredData> stored() {
    return StoredData.all();
  }

  @ParameterizedTest
  @MethodSource("stored")
  void show(StoredData stored, @TempDir Path folder) throws Exception {
    Path data = stored.unpack(folder.resolve("data"));
    try (EmbeddedDynamo dynamo = new EmbeddedDynamo(data)) {
      for (Table table : Table.values()) {
        Map<String, Set<String>> kinds = new TreeMap<>();
        dynamo.client().scanPaginator(scan -> scan.tableName(table.wireName("governance"))).items()
            .forEach(row -> {
              String pk = row.containsKey("pk") ? row.get("pk").s() : row.get("id").s();
              kinds.computeIfAbsent(kind(pk), k -> new TreeSet<>()).add((row.containsKey("archive_expires") ? "A" : "-") + (row.containsKey("expires") ? "E" : "-"));
            });
        System.out.println("FORM " + table + " " + kinds);
      }
    }
  }

  private static String kind(String pk) {
    String[] parts = pk.split("#", -1);
    StringBuilder b = new StringBuilder();
    for (String p : parts) {
      if (p.matches("[a-z][a-z_-]*") && !p.equals("live") && !p.equals("test")) { b.append(p).append('/'); }
    }
    return b.isEmpty() ? pk : b.toString();
  }
}
