package io.actiongovernance.localstack.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.store.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class HotKeysTest {
  private static final String TENANT = "t_01ARZ3NDEKTSV4RRFFQ69G5FAV";
  private static final int ACTIONS = 100;

  private static KeyPattern pattern(String key) {
    return KeyPattern.of(KeyUnits.written(Table.STATE, key, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "TENANT#live#plan, T#plan, true",
    "TENANT#live#plan#5, T#plan#*, true",
    "TENANT#live#plan#status#proposed, T#plan#status#proposed, true",
    "TENANT#live#action#act_01ARZ3NDEKTSV4RRFFQ69G5FAV, T#action#*, true",
    "TENANT#live#limit#0ab1c2#3, T#limit#*#*, true",
    "TENANT#rate, T#rate, true",
    "secret#0ab1c2, secret#*, true",
    "due#3, due#*, false",
  })
  void aPatternKeepsTheWordsOfAKeyAndMarksTenantKeys(String key, String text, boolean ofTenant) {
    assertThat(pattern(key.replace("TENANT", TENANT)))
        .isEqualTo(new KeyPattern("state: " + text, ofTenant));
  }

  private static List<KeyUnits> times(int times, KeyUnits... units) {
    List<KeyUnits> all = new ArrayList<>();
    for (int time = 0; time < times; time++) {
      all.addAll(List.of(units));
    }
    return all;
  }

  @Test
  void theHottestKeyOfATenantSetsTheCeiling() {
    HotKeys writes =
        new HotKeys(
            times(ACTIONS, KeyUnits.written(Table.STATE, TENANT + "#live#plan", 4)), ACTIONS);
    assertThat(writes.ceiling(true)).isEqualTo(250);
    HotKeys reads =
        new HotKeys(times(ACTIONS, KeyUnits.read(Table.STATE, TENANT + "#live#plan", 30)), ACTIONS);
    assertThat(reads.ceiling(true)).isEqualTo(100);
  }

  @Test
  void refusedWritesDoNotLowerTheCeiling() {
    KeyUnits plan = KeyUnits.written(Table.STATE, TENANT + "#live#plan", 4);
    assertThat(new HotKeys(times(ACTIONS, plan, plan.inVain()), ACTIONS).ceiling(true))
        .isEqualTo(250);
  }

  @Test
  void shardsShareTheLoadSpreadOverThem() {
    List<KeyUnits> units = times(75, KeyUnits.written(Table.STATE, "due#0", 2));
    units.addAll(times(25, KeyUnits.written(Table.STATE, "due#1", 2)));
    HotKeys keys = new HotKeys(units, ACTIONS);
    assertThat(keys.ceiling(false)).isEqualTo(667);
    assertThat(keys.evenCeiling(false)).isEqualTo(1_000);
  }

  @Test
  void similarKeysOfSingleActionsAreNotHot() {
    List<KeyUnits> units = new ArrayList<>();
    for (int action = 0; action < ACTIONS; action++) {
      String limit = TENANT + "#live#limit#";
      units.add(KeyUnits.written(Table.LIMITS, limit + "e" + action + "#0", 2));
      units.add(KeyUnits.written(Table.LIMITS, limit + "a0#" + action % 8, 2));
    }
    HotKeys keys = new HotKeys(units, ACTIONS);
    assertThat(keys.ceiling(true)).isEqualTo(3_846);
    assertThat(keys.evenCeiling(true)).isEqualTo(4_000);
  }

  @Test
  void aKeyOfASingleActionIsNotHot() {
    List<KeyUnits> units = times(ACTIONS, KeyUnits.written(Table.STATE, TENANT + "#live#plan", 1));
    for (int action = 0; action < ACTIONS; action++) {
      units.addAll(
          times(10, KeyUnits.written(Table.STATE, TENANT + "#live#action#act_" + action, 40)));
    }
    assertThat(new HotKeys(units, ACTIONS).ceiling(true)).isEqualTo(1_000);
  }
}
