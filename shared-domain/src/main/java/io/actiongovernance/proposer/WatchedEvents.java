package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorRoster;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.EventId;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorRoster;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.store.Bodies;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads events together with everything that a proposal for an event depends on. One request reads
 * the event, the state that a claim depends on, and the rosters of active operators and of
 * connectors. A roster states the present version of each. If an operator watches the event, a
 * second request reads those operators and connectors that are not known in that version. So state
 * in memory is used only if the store confirms that it is unchanged. Thread-safe.
 */
public final class WatchedEvents {
  private final Store store;
  private final EventLog eventLog;
  private final Operators operators;
  private final Connectors connectors;
  private final Bodies<Long, Operator> knownOperators = new Bodies<>();
  private final Bodies<Long, Connector> knownConnectors = new Bodies<>();

  public WatchedEvents(Store store, EventLog eventLog, Operators operators, Connectors connectors) {
    this.store = store;
    this.eventLog = eventLog;
    this.operators = operators;
    this.connectors = connectors;
  }

  /**
   * Event, with the state when it was read.
   *
   * @param operators the active operators that watch it, oldest first
   * @param connectors all connectors of the partition, newest first; empty if no operator watches
   *     it
   */
  record WatchedEvent(
      Event event,
      List<Operator> operators,
      List<Connector> connectors,
      ClaimPlan.TenantState tenantState) {}

  /** Returns the event; empty if it does not exist or its retention has ended. */
  Optional<WatchedEvent> find(Partition partition, EventId id) {
    Key operatorRoster = Operators.rosterKey(partition);
    Key connectorRoster = Connectors.rosterKey(partition);
    Map<Key, Item> items =
        store.getByKey(
            Stream.of(
                    EventLog.keys(partition, id).stream(),
                    Stream.of(operatorRoster, connectorRoster),
                    ClaimPlan.TenantState.keys(partition).stream())
                .flatMap(keys -> keys)
                .toList());
    return eventLog
        .read(partition, id, items)
        .map(
            event ->
                watched(
                    event,
                    OperatorRoster.read(Optional.ofNullable(items.get(operatorRoster))),
                    ConnectorRoster.read(Optional.ofNullable(items.get(connectorRoster))),
                    ClaimPlan.TenantState.read(partition, items)));
  }

  private WatchedEvent watched(
      Event event,
      OperatorRoster operatorRoster,
      ConnectorRoster connectorRoster,
      ClaimPlan.TenantState tenantState) {
    Partition partition = event.partition();
    Map<Key, Operator> watching = new LinkedHashMap<>();
    Map<Key, Connector> installed = new LinkedHashMap<>();
    List<Key> unknown = new ArrayList<>();
    List<OperatorRoster.Entry> entries =
        operatorRoster.entries().stream().filter(entry -> entry.mayWatch(event)).toList();
    for (OperatorRoster.Entry entry : entries) {
      Key key = Operators.key(partition, entry.id());
      knownOperators
          .find(key, entry.content())
          .ifPresentOrElse(known -> watching.put(key, known), () -> unknown.add(key));
    }
    if (!entries.isEmpty()) {
      for (ConnectorRoster.Entry entry : connectorRoster.entries()) {
        Key key = Connectors.key(partition, entry.id());
        knownConnectors
            .find(key, entry.version())
            .ifPresentOrElse(known -> installed.put(key, known), () -> unknown.add(key));
      }
    }
    read(unknown, watching, installed);
    return new WatchedEvent(
        event,
        inOrder(watching, Comparator.comparing(Key::range)).stream()
            .filter(operator -> operator.watches(event))
            .toList(),
        inOrder(installed, Comparator.comparing(Key::range).reversed()),
        tenantState);
  }

  /** Reads unknown rows, which are at least as new as the roster that names them. */
  private void read(List<Key> unknown, Map<Key, Operator> watching, Map<Key, Connector> installed) {
    if (unknown.isEmpty()) {
      return;
    }
    List<Item> rows = new ArrayList<>();
    for (Item item : store.getAll(unknown)) {
      if (item.text("kind").equals("operator")) {
        rows.add(item);
      } else {
        Connector connector = connectors.read(item);
        knownConnectors.keep(item, connector.version(), connector);
        installed.put(item.key(), connector);
      }
    }
    List<Operator> found = operators.read(rows);
    for (int at = 0; at < rows.size(); at++) {
      Item row = rows.get(at);
      knownOperators.keep(row, Operators.content(row), found.get(at));
      watching.put(row.key(), found.get(at));
    }
  }

  private static <T> List<T> inOrder(Map<Key, T> bodies, Comparator<Key> order) {
    return bodies.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(order))
        .map(Map.Entry::getValue)
        .toList();
  }
}
