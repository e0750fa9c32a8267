package io.actiongovernance.localstack.bench;

import static java.util.Comparator.comparingDouble;
import static java.util.stream.Collectors.groupingBy;

import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What actions took of partition keys, by the keys' patterns, and how many actions a second the
 * keys could serve. A key lies in one partition, which serves 1,000 write units and 3,000 read
 * units a second.
 *
 * <p>Ceilings leave out what was taken in vain by writes that were refused: how many are depends on
 * how many are made at once.
 */
final class HotKeys {
  private static final double WRITES_A_SECOND = 1_000;
  private static final double READS_A_SECOND = 3_000;

  /** What fewer of the actions have to do with does not become hot. */
  private static final double LEAST_SHARE = 0.02;

  /** The most that a single action has to do with a key of its own. */
  private static final int MOST_OF_ONE_ACTION = 20;

  private final int actions;
  private final List<Row> rows;

  /**
   * One key.
   *
   * @param sharded what it has in common with the other shards
   * @param times how often it was read or written
   * @param refused units that were taken in vain, which are not among the others
   */
  private record OneKey(
      KeyPattern pattern, String sharded, int times, double reads, double writes, double refused) {
    static OneKey of(List<KeyUnits> all) {
      KeyUnits any = all.getFirst();
      List<KeyUnits> done = all.stream().filter(one -> !one.refused()).toList();
      double writes = sum(done, KeyUnits::writes);
      return new OneKey(
          KeyPattern.of(any),
          KeyPattern.sharded(any.key()),
          done.size(),
          sum(done, KeyUnits::reads),
          writes,
          sum(all, KeyUnits::writes) - writes);
    }

    /** For how many seconds it keeps a partition busy. */
    double heat() {
      return HotKeys.heat(reads, writes);
    }
  }

  /** The keys of one pattern. */
  private record Row(KeyPattern pattern, List<OneKey> keys) {
    OneKey hottest() {
      return keys.stream().max(comparingDouble(OneKey::heat)).orElseThrow();
    }

    double heat() {
      return hottest().heat();
    }

    /** The keys, those together that are shards of one thing. */
    Stream<List<OneKey>> spread() {
      return keys.stream().collect(groupingBy(OneKey::sharded)).values().stream();
    }

    /** The heat of the hottest shards, if all of what is spread over them were as hot. */
    double evenHeat() {
      return spread()
          .mapToDouble(
              shards ->
                  HotKeys.heat(sum(shards, OneKey::reads), sum(shards, OneKey::writes))
                      / shards.size())
          .max()
          .orElseThrow();
    }

    double all(ToDoubleFunction<OneKey> units) {
      return sum(keys, units);
    }
  }

  /**
   * @param units of all requests that were made for so many actions
   */
  HotKeys(Collection<KeyUnits> units, int actions) {
    this.actions = actions;
    this.rows =
        units.stream().collect(groupingBy(one -> List.of(one.place(), one.key()))).values().stream()
            .map(OneKey::of)
            .collect(groupingBy(OneKey::pattern))
            .entrySet()
            .stream()
            .map(one -> new Row(one.getKey(), one.getValue()))
            .sorted(comparingDouble(Row::heat).reversed())
            .toList();
  }

  /** A row for each pattern that may become hot, the hottest first, and one for all others. */
  Figures figures(String name) {
    Figures figures =
        new Figures(
            name,
            "key",
            "of",
            "keys",
            "writes",
            "hottest's writes",
            "refused writes",
            "reads",
            "hottest's reads",
            "actions a second",
            "if even");
    for (Row row : rows.stream().filter(this::mayBeHot).toList()) {
      OneKey hottest = row.hottest();
      figures.row(
          row.pattern().text(),
          row.pattern().ofTenant() ? "tenant" : "deployment",
          row.keys().size(),
          each(row.all(OneKey::writes)),
          each(hottest.writes()),
          each(row.all(OneKey::refused)),
          each(row.all(OneKey::reads)),
          each(hottest.reads()),
          Math.round(actions / row.heat()),
          Math.round(actions / row.evenHeat()));
    }
    sum(figures, "keys of single actions, and rare ones", others());
    sum(figures, "all", rows);
    return figures;
  }

  /** How many actions a second a tenant's keys let through, or the deployment's. */
  long ceiling(boolean ofTenant) {
    return ceiling(ofTenant, Row::heat);
  }

  /** The same, if all shards of what is spread were as hot. */
  long evenCeiling(boolean ofTenant) {
    return ceiling(ofTenant, Row::evenHeat);
  }

  private long ceiling(boolean ofTenant, ToDoubleFunction<Row> heat) {
    double hottest =
        rows.stream()
            .filter(this::mayBeHot)
            .filter(row -> row.pattern().ofTenant() == ofTenant)
            .mapToDouble(heat)
            .max()
            .orElseThrow();
    return Math.round(actions / hottest);
  }

  private boolean mayBeHot(Row row) {
    int times =
        row.spread()
            .mapToInt(shards -> shards.stream().mapToInt(OneKey::times).sum())
            .max()
            .orElseThrow();
    return times > Math.max(MOST_OF_ONE_ACTION, LEAST_SHARE * actions);
  }

  private List<Row> others() {
    return rows.stream().filter(row -> !mayBeHot(row)).toList();
  }

  private void sum(Figures figures, String name, List<Row> summed) {
    figures.row(
        name,
        "",
        summed.stream().mapToInt(row -> row.keys().size()).sum(),
        each(sum(summed, row -> row.all(OneKey::writes))),
        "",
        each(sum(summed, row -> row.all(OneKey::refused))),
        each(sum(summed, row -> row.all(OneKey::reads))),
        "",
        "",
        "");
  }

  private double each(double units) {
    return units / actions;
  }

  private static double heat(double reads, double writes) {
    return Math.max(writes / WRITES_A_SECOND, reads / READS_A_SECOND);
  }

  private static <T> double sum(List<T> all, ToDoubleFunction<T> units) {
    return all.stream().mapToDouble(units).sum();
  }
}
