package io.actiongovernance.store;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The names of a deployment's tables. Each table has a generation, which starts at 1. A restore
 * creates the next generation, a table beside the one from which it was made. Immutable.
 *
 * @param prefix the prefix of the names
 * @param generations the generations of the restored tables; all other tables have the first
 */
public record TableNames(String prefix, Map<Table, Integer> generations) {
  public static final int MOST = 99;

  public TableNames {
    Map<Table, Integer> restored = new EnumMap<>(Table.class);
    generations.forEach(
        (table, generation) -> {
          if (generation < 1 || generation > MOST) {
            throw new IllegalArgumentException(
                "The generation of a table is from 1 to %s, not %s.".formatted(MOST, generation));
          }
          if (generation > 1) {
            restored.put(table, generation);
          }
        });
    generations = Map.copyOf(restored);
  }

  public static TableNames of(String prefix) {
    return new TableNames(prefix, Map.of());
  }

  /**
   * Parses generations such as {@code state=2,limits=3}; an omitted table has the first.
   *
   * @throws IllegalArgumentException if the text contains anything else
   */
  public static TableNames of(String prefix, String text) {
    Map<Table, Integer> generations = new EnumMap<>(Table.class);
    if (!text.isBlank()) {
      for (String each : text.split(",")) {
        String[] parts = each.strip().split("=");
        if (parts.length != 2 || !parts[1].matches("[0-9]{1,2}")) {
          throw new IllegalArgumentException(
              "A restored table must be written with its generation, such as state=2, not: "
                  + each);
        }
        generations.put(named(parts[0]), Integer.parseInt(parts[1]));
      }
    }
    return new TableNames(prefix, generations);
  }

  private static Table named(String word) {
    return Arrays.stream(Table.values())
        .filter(table -> table.word().equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("There is no table named " + word + "."));
  }

  public int generation(Table table) {
    return generations.getOrDefault(table, 1);
  }

  public String of(Table table) {
    return of(table, generation(table));
  }

  /** Returns the name of a table's generation: {@code governance-state-2}. */
  public String of(Table table, int generation) {
    String first = table.wireName(prefix);
    return generation == 1 ? first : first + "-" + generation;
  }

  /**
   * Returns the generations as a text for {@link #of(String, String)}; empty if no table was
   * restored.
   */
  public String text() {
    return new TreeMap<>(generations)
        .entrySet().stream()
            .map(entry -> entry.getKey().word() + "=" + entry.getValue())
            .collect(Collectors.joining(","));
  }
}
