package io.actiongovernance.functions.rights;

import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What one function may do to tables, queues, bus and secrets, beyond receiving what its trigger
 * hands it. What is not here is denied. Immutable.
 *
 * @param tables the operations on each table
 * @param sends the queues it may send to
 * @param times the kinds of timers it may start and stop
 * @param others what else it may do
 */
public record Rights(
    Map<Table, Set<TableAccess>> tables,
    Set<Queue> sends,
    Set<TimerKind> times,
    Set<Right> others) {

  /** Nothing at all. */
  public static final Rights NONE = new Rights(Map.of(), Set.of(), Set.of(), Set.of());

  public Rights {
    Map<Table, Set<TableAccess>> copy = new EnumMap<>(Table.class);
    tables.forEach(
        (table, operations) ->
            copy.put(table, Collections.unmodifiableSet(EnumSet.copyOf(operations))));
    tables = Collections.unmodifiableMap(copy);
    sends = Set.copyOf(sends);
    times = Set.copyOf(times);
    others = Set.copyOf(others);
  }

  /** Whether the operation on the table is among them. */
  public boolean permit(TableAccess operation, Table table) {
    return tables.getOrDefault(table, Set.of()).contains(operation);
  }

  /** Whether it is among them. */
  public boolean permit(Right right) {
    return others.contains(right);
  }

  public static Rights reading(Table... tables) {
    Rights rights = NONE;
    for (Table table : tables) {
      rights = rights.and(on(table, TableAccess.READ));
    }
    return rights;
  }

  public static Rights on(Table table, TableAccess first, TableAccess... more) {
    return new Rights(Map.of(table, EnumSet.of(first, more)), Set.of(), Set.of(), Set.of());
  }

  public static Rights sending(Queue... queues) {
    return new Rights(Map.of(), Set.of(queues), Set.of(), Set.of());
  }

  public static Rights timing(TimerKind kind) {
    return new Rights(Map.of(), Set.of(), Set.of(kind), Set.of());
  }

  public static Rights to(Right... others) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(others));
  }

  /** These and those. */
  public Rights and(Rights other) {
    Map<Table, Set<TableAccess>> all = new EnumMap<>(Table.class);
    all.putAll(tables);
    other.tables.forEach((table, operations) -> all.merge(table, operations, Rights::union));
    return new Rights(
        all, union(sends, other.sends), union(times, other.times), union(others, other.others));
  }

  private static <T> Set<T> union(Set<T> these, Set<T> those) {
    Set<T> all = new HashSet<>(these);
    all.addAll(those);
    return all;
  }
}
