package io.actiongovernance.functions.aws;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Functions of a deployment whose table was restored use that one, and nothing of the one before.
 */
final class TableGenerationsTest {
  private static final Key ONE = new Key(Table.STATE, "p", "1");
  private static final Key TWO = new Key(Table.STATE, "p", "2");

  private final DynamoDbClient client = EmbeddedDynamo.client();
  private final String prefix = EmbeddedDynamo.ownTables();
  private final TableNames names = new TableNames(prefix, Map.of(Table.STATE, 2));
  private final Store first = new DynamoStore(client, prefix);
  private final Store second;

  TableGenerationsTest() {
    client.createTable(Tables.request(Table.STATE, names));
    second = new DynamoStore(client, names);
  }

  @Test
  void everyReadAndWriteUsesTheRestoredTable() {
    assertThat(second.write(Write.insert(Item.at(ONE).with("is", "new").build())).done()).isTrue();
    assertThat(
            second
                .transact(
                    List.of(
                        Write.insert(Item.at(TWO).with("is", "new").build()),
                        Write.update(ONE, Condition.present(), Change.set("is", "newer"))))
                .done())
        .isTrue();
    assertThat(second.get(ONE).orElseThrow().text("is")).isEqualTo("newer");
    assertThat(second.getAll(List.of(ONE, TWO))).hasSize(2);
    assertThat(second.snapshot(List.of(ONE, TWO)).orElseThrow()).hasSize(2);
    assertThat(second.query(Query.of(Table.STATE, "p").limit(10)).items()).hasSize(2);
    assertThat(first.getAll(List.of(ONE, TWO))).isEmpty();
    assertThat(first.query(Query.of(Table.STATE, "p").limit(10)).items()).isEmpty();
  }

  @Test
  void otherTablesStayAtTheirFirstGeneration() {
    Key receipt = new Key(Table.RECEIPTS, "p", "1");
    second.write(Write.insert(Item.at(receipt).with("is", "there").build()));
    assertThat(first.get(receipt)).isPresent();
  }

  @Test
  void theSettingSelectsTheTablesInUse() {
    Map<String, String> environment =
        Map.of("GOVERNANCE_PREFIX", "p", Settings.TABLE_GENERATIONS, "state=2");
    assertThat(Settings.tables(environment).of(Table.STATE)).isEqualTo("p-state-2");
    assertThat(Settings.tables(Map.of()).of(Table.STATE)).isEqualTo("governance-state");
    assertThatThrownBy(() -> Settings.tables(Map.of(Settings.TABLE_GENERATIONS, "state")))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
