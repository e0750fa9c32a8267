package io.actiongovernance.connector;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ConnectorId;
import io.actiongovernance.store.Change;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Write;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connectors of a tenant and mode, with the version of each. The roster is one small row,
 * written with each change of what a connector is and offers. A reader that knows a connector in
 * that version need not read it. Changes of health and credentials do not change the roster.
 * Immutable.
 */
public record ConnectorRoster(List<Entry> entries) {
  public ConnectorRoster {
    entries = List.copyOf(entries);
  }

  public record Entry(ConnectorId id, long version) {}

  /**
   * Reads the roster, newest first, from the item under {@link Connectors#rosterKey}, if it exists.
   */
  public static ConnectorRoster read(Optional<Item> item) {
    return new ConnectorRoster(
        item.map(Item::attributes).orElse(Map.of()).keySet().stream()
            .filter(name -> name.startsWith(ConnectorId.PREFIX))
            .sorted(Comparator.reverseOrder())
            .map(name -> new Entry(new ConnectorId(name), item.orElseThrow().whole(name, 0)))
            .toList());
  }

  /** Returns the write that adds a connector with this version. */
  static Write enlist(Connector connector, long version) {
    return change(connector, Change.set(connector.id().value(), version));
  }

  /** Returns the write that removes a connector. */
  static Write leave(Connector connector) {
    return change(connector, Change.remove(connector.id().value()));
  }

  private static Write change(Connector connector, Change change) {
    Partition partition = connector.partition();
    return Write.update(ConnectorItems.rosterKey(partition), Condition.always(), change);
  }
}
