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
 * The rights of one function to tables, queues, bus and secrets, besides receiving the events of
 * its trigger. Everything else is denied. Immutable.
 *
 * @param tables the operations on each table
 * @param sends the queues it may send to
 * @param times the kinds of timers it may start and stop
 * @param others its other rights
 * @param opens the purposes whose sealed texts it may open
 * @param seals the purposes for which it may seal; {@code opens} includes them
 */
public record Rights(
    Map<Table, Set<TableAccess>> tables,
    Set<Queue> sends,
    Set<TimerKind> times,
    Set<Right> others,
    Set<Purpose> opens,
    Set<Purpose> seals) {

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

  /** Returns whether the rights include the operation on the table. */
  public boolean permit(TableAccess operation, Table table) {
    return tables.getOrDefault(table, Set.of()).contains(operation);
  }

  public boolean permit(Right right) {
    return others.contains(right);
  }

  /** The purposes among these for which sealed data is stored, possibly under data keys. */
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

  /** The right to open texts that are sealed for these purposes. */
  public static Rights opening(Purpose... purposes) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(), Set.of(purposes), Set.of());
  }

  /** The rights to seal and to open for these purposes. */
  public static Rights sealing(Purpose... purposes) {
    return new Rights(Map.of(), Set.of(), Set.of(), Set.of(), Set.of(), Set.of(purposes));
  }

  /** The union of these rights and the given ones. */
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
