package io.actiongovernance.functions.rights;

import io.actiongovernance.functions.trigger.Queue;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.webhook.Endpoints;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * What one function may do to tables, queues, bus and secrets, beyond receiving what its trigger
 * hands it. What is not here is denied. Immutable.
 *
 * @param tables the operations on each table
 * @param sends the queues it may send to
 * @param publishes whether it may put facts on the bus
 * @param unseals whether it may read the master key
 * @param notesKeyUse whether it may update the items that hold the hash of a key's secret, which
 *     every authenticated request does now and then; no other item of {@link Table#STATE}
 * @param times the kinds of timers it may start and stop
 * @param readsExports whether it may read the files of exports
 * @param writesExports whether it may write them
 * @param asksModels whether it may invoke the models of Bedrock that the deployment names
 * @param findsEndpoints whether it may query the webhook endpoints, whose secrets are sealed; no
 *     other items of {@link Table#STATE}
 */
public record Rights(
    Map<Table, Set<Operation>> tables,
    Set<Queue> sends,
    boolean publishes,
    boolean unseals,
    boolean notesKeyUse,
    Set<TimerKind> times,
    boolean readsExports,
    boolean writesExports,
    boolean asksModels,
    boolean findsEndpoints) {

  /** What the partition keys begin with of the items that {@code notesKeyUse} is about. */
  public static final String KEY_SECRETS = "secret#";

  /** What the partition keys end with of the items that {@code findsEndpoints} is about. */
  public static final String ENDPOINTS = "#" + Endpoints.PART;

  static final Rights NONE = new Rights(Map.of(), Set.of(), false, false, false, Set.of());

  Rights(
      Map<Table, Set<Operation>> tables,
      Set<Queue> sends,
      boolean publishes,
      boolean unseals,
      boolean notesKeyUse,
      Set<TimerKind> times) {
    this(tables, sends, publishes, unseals, notesKeyUse, times, false, false, false, false);
  }

  public Rights {
    Map<Table, Set<Operation>> copy = new EnumMap<>(Table.class);
    tables.forEach(
        (table, operations) ->
            copy.put(table, Collections.unmodifiableSet(EnumSet.copyOf(operations))));
    tables = Collections.unmodifiableMap(copy);
    sends = Set.copyOf(sends);
    times = Set.copyOf(times);
  }

  /** Whether the operation on the table is among them. */
  public boolean permit(Operation operation, Table table) {
    return tables.getOrDefault(table, Set.of()).contains(operation);
  }

  static Rights reading(Table... tables) {
    Rights rights = NONE;
    for (Table table : tables) {
      rights = rights.and(on(table, Operation.READ));
    }
    return rights;
  }

  static Rights on(Table table, Operation first, Operation... more) {
    return new Rights(
        Map.of(table, EnumSet.of(first, more)), Set.of(), false, false, false, Set.of());
  }

  static Rights sending(Queue... queues) {
    return new Rights(Map.of(), Set.copyOf(Arrays.asList(queues)), false, false, false, Set.of());
  }

  static Rights publishing() {
    return new Rights(Map.of(), Set.of(), true, false, false, Set.of());
  }

  static Rights unsealing() {
    return new Rights(Map.of(), Set.of(), false, true, false, Set.of());
  }

  static Rights notingKeyUse() {
    return new Rights(Map.of(), Set.of(), false, false, true, Set.of());
  }

  static Rights timing(TimerKind kind) {
    return new Rights(Map.of(), Set.of(), false, false, false, Set.of(kind));
  }

  static Rights readingExports() {
    return new Rights(Map.of(), Set.of(), false, false, false, Set.of(), true, false, false, false);
  }

  static Rights writingExports() {
    return new Rights(Map.of(), Set.of(), false, false, false, Set.of(), false, true, false, false);
  }

  static Rights askingModels() {
    return new Rights(Map.of(), Set.of(), false, false, false, Set.of(), false, false, true, false);
  }

  static Rights findingEndpoints() {
    return new Rights(Map.of(), Set.of(), false, false, false, Set.of(), false, false, false, true);
  }

  /** These and those. */
  Rights and(Rights other) {
    Map<Table, Set<Operation>> union = new EnumMap<>(Table.class);
    for (Table table : Table.values()) {
      Set<Operation> operations = EnumSet.noneOf(Operation.class);
      operations.addAll(tables.getOrDefault(table, Set.of()));
      operations.addAll(other.tables.getOrDefault(table, Set.of()));
      if (!operations.isEmpty()) {
        union.put(table, operations);
      }
    }
    Set<Queue> queues = EnumSet.noneOf(Queue.class);
    queues.addAll(sends);
    queues.addAll(other.sends);
    Set<TimerKind> kinds = EnumSet.noneOf(TimerKind.class);
    kinds.addAll(times);
    kinds.addAll(other.times);
    return new Rights(
        union,
        queues,
        publishes || other.publishes,
        unseals || other.unseals,
        notesKeyUse || other.notesKeyUse,
        kinds,
        readsExports || other.readsExports,
        writesExports || other.writesExports,
        asksModels || other.asksModels,
        findsEndpoints || other.findsEndpoints);
  }
}
