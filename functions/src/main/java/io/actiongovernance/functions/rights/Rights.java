package io.actiongovernance.functions.rights;

import io.actiongovernance.access.Sealer.Purpose;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What one function may do to tables, queues, bus and secrets, beyond receiving what its trigger
 * hands it. What is not here is denied. Immutable.
 *
 * @param tables the operations on each table
 * @param sends the queues it may send to
 * @param times the kinds of timers it may start and stop
 * @param others what else it may do
 * @param opens the purposes whose sealed texts it may open
 * @param seals those for which it may seal, which are among them
 */
public record Rights(
    Map<Table, Set<TableAccess>> tables,
    Set<Queue> sends,
    Set<TimerKind> times,
    Set<Right> others,
    Set<Purpose> opens,
    Set<Purpose> seals) {

  /** Nothing at all. */
  public static final Rights NONE =
      new Rights(Map.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());

  public Rights {
    Map<Table, Set<TableAccess>> copy = new EnumMap<>(Table.class);
    tables.forEach(
        (table, operations) ->
            copy.put(table, Collections.unmodifiableSet(EnumSet.copyOf(operations))));
    tables = Collections.unmodifiableMap(copy);
    sends = Set.copyOf(sends);
    times = Set.copyOf(times);
    others = Set.copyOf(others);
    opens = union(opens, seals);
    seals = Set.copyOf(seals);
  }

  /** Whether the operation on the table is among them. */
  public boolean permit(TableAccess operation, Table table) {
    return tables.getOrDefault(table, Set.of()).contains(operation);
  }

  /** Whether it is among them. */
  public boolean permit(Right right) {
    return others.contains(right);
  }

  /** Those of its purposes for which something is stored, and may be under data keys. */
  public static Set<Purpose> stored(Set<Purpose> purposes) {
    return purposes.stream().filter(Purpose::isStored).collect(Collectors.toUnmodifiableSet());
  }

  public static Rights reading(Table... tables) {
    Rights rights = NONE;
    for (Table table : tables) {
      rights = rights.and(on(table, TableAccess.READ));
    }
    return rights;
  }

  public static Rights on(Table table, TableAccess first, TableAccess... more) {
    return new Rights(
        Map.of(table, EnumSet.of(first, more)), Set.of(), Set.of(), Set.of(), Set.of(), Set.of());
  }

  public static Rights sending(Queue... queues) {
    return new Rights(Map.of(), Set.of(queues), Set.of(), Set.of(), Set.of(), Set.of());
  }

  public static Rights timing(TimerKind kind) {
    return new Rights(Map.of(), Set.of(), Set.of(kind), Set.of(), Set.of(), Set.of());
  }

  public static Rights to(Right... others) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(others), Set.of(), Set.of());
  }

  /** Opening what is sealed for these purposes. */
  public static Rights opening(Purpose... purposes) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(), Set.of(purposes), Set.of());
  }

  /** Sealing for these purposes, and opening. */
  public static Rights sealing(Purpose... purposes) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(purposes));
  }

  /** These and those. */
  public Rights and(Rights other) {
    Map<Table, Set<TableAccess>> all = new EnumMap<>(Table.class);
    all.putAll(tables);
    other.tables.forEach((table, operations) -> all.merge(table, operations, Rights::union));
    return new Rights(
        all,
        union(sends, other.sends),
        union(times, other.times),
        union(others, other.others),
        union(opens, other.opens),
        union(seals, other.seals));
  }

  private static <T> Set<T> union(Set<T> these, Set<T> those) {
    Set<T> all = new HashSet<>(these);
    all.addAll(those);
    return Set.copyOf(all);
  }
}
