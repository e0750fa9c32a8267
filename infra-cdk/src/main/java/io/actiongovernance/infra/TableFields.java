package io.actiongovernance.infra;

import io.actiongovernance.json.Fields;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.TableNames;
import java.util.EnumMap;
import java.util.Map;

/** The part of an environment's file that concerns restored tables: the generations in use. */
final class TableFields {
  static final String TABLES = "tables";
  static final String GENERATION = "generation";

  private TableFields() {}

  /** The generations by table. A table that the file does not name uses the first generation. */
  static Map<Table, Integer> read(Fields file) {
    Map<Table, Integer> generations = new EnumMap<>(Table.class);
    Fields tables = file.fieldsOrNull(TABLES);
    if (tables == null) {
      return generations;
    }
    for (Table table : Table.values()) {
      Fields fields = tables.fieldsOrNull(table.word());
      if (fields != null) {
        generations.put(table, EnvironmentFile.whole(fields, GENERATION, 1, TableNames.MOST));
        fields.done();
      }
    }
    tables.done();
    return generations;
  }
}
