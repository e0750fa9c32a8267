package io.actiongovernance.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tables are called, before and after they were restored. */
final class TableNamesTest {
  @ParameterizedTest
  @EnumSource
  void aTableThatWasNeverRestoredKeepsItsPlainName(Table table) {
    assertThat(TableNames.of("p").of(table)).isEqualTo(table.wireName("p"));
    assertThat(TableNames.of("p", "").of(table)).isEqualTo(table.wireName("p"));
    assertThat(new TableNames("p", Map.of(table, 1))).isEqualTo(TableNames.of("p"));
  }

  @Test
  void aRestoredTableIsNamedAfterItsGeneration() {
    TableNames names = TableNames.of("governance-prod", "state=2, limits=11");
    assertThat(names.of(Table.STATE)).isEqualTo("governance-prod-state-2");
    assertThat(names.of(Table.LIMITS)).isEqualTo("governance-prod-limits-11");
    assertThat(names.of(Table.RECEIPTS)).isEqualTo("governance-prod-receipts");
    assertThat(names.of(Table.STATE, 1)).isEqualTo("governance-prod-state");
    assertThat(names.text()).isEqualTo("state=2,limits=11");
    assertThat(TableNames.of("governance-prod", names.text())).isEqualTo(names);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"state", "state=", "state=x", "state=0", "state=100", "states=2", "state=2=3"})
  void anInvalidGenerationIsRefused(String text) {
    assertThatThrownBy(() -> TableNames.of("p", text)).isInstanceOf(IllegalArgumentException.class);
  }
}
