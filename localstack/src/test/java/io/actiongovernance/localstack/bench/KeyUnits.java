package io.actiongovernance.localstack.bench;

import io.actiongovernance.store.Index;
import io.actiongovernance.store.Table;
import java.util.Locale;

/**
 * Units that one partition key serves.
 *
 * @param place the table of the key, {@code state}, or the index, {@code state/by_status}
 * @param refused whether nothing came of them: a condition did not hold, or others were at it
 */
record KeyUnits(String place, String key, double reads, double writes, boolean refused) {
  static KeyUnits read(Table table, String key, double units) {
    return new KeyUnits(place(table), key, units, 0, false);
  }

  static KeyUnits read(Table table, Index index, String key, double units) {
    return new KeyUnits(place(table, index), key, units, 0, false);
  }

  static KeyUnits written(Table table, String key, double units) {
    return new KeyUnits(place(table), key, 0, units, false);
  }

  static KeyUnits written(Table table, Index index, String key, double units) {
    return new KeyUnits(place(table, index), key, 0, units, false);
  }

  /** The same, of which nothing came. */
  KeyUnits inVain() {
    return new KeyUnits(place, key, reads, writes, true);
  }

  private static String place(Table table, Index index) {
    return place(table) + "/" + index.hash();
  }

  private static String place(Table table) {
    return table.name().toLowerCase(Locale.ROOT);
  }
}
