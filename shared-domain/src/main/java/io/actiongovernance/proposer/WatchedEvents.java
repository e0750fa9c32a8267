package io.actiongovernance.proposer;

import io.actiongovernance.access.Partition;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.event.Event;
import io.actiongovernance.event.EventLog;
import io.actiongovernance.id.EventId;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads events together with all that a proposal for one depends on, in one request: the rows of
 * the operators and connectors are asked for by what their rosters said last time, along with the
 * rosters. Only if a roster has changed, or was not seen yet, is there a second request. So nothing
 * is taken from memory but where to look. Thread-safe.
 */
public final class WatchedEvents {
  private static final int PARTITIONS_REMEMBERED = 1_000;

  private final Store store;
  private final EventLog eventLog;
  private final Operators operators;
  private final Connectors connectors;
  private final Map<Partition, List<Key>> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Partition, List<Key>> eldest) {
          return size() > PARTITIONS_REMEMBERED;
        }
      };

  public WatchedEvents(Store store, EventLog eventLog, Operators operators, Connectors connectors) {
    this.store = store;
    this.eventLog = eventLog;
    this.operators = operators;
    this.connectors = connectors;
  }

  /**
   * An event, and what there was when it was read.
   *
   * @param operators the active ones that watch it, oldest first
   * @param connectors all of the partition, newest first
   */
  record WatchedEvent(
      Event event,
      List<Operator> operators,
      List<Connector> connectors,
      ClaimPlan.Standing standing) {}

  /** The event, unless there is none or its retention is over. */
  Optional<WatchedEvent> find(Partition partition, EventId id) {
    Key operatorRoster = Operators.rosterKey(partition);
    Key connectorRoster = Connectors.rosterKey(partition);
    List<Key> guessed = guess(partition);
    Map<Key, Item> items =
        read(
            Stream.of(
                    EventLog.keys(partition, id).stream(),
                    Stream.of(operatorRoster, connectorRoster),
                    ClaimPlan.Standing.keys(partition).stream(),
                    guessed.stream())
                .flatMap(keys -> keys)
                .toList());
    List<Key> operatorKeys =
        Operators.activeKeys(partition, Optional.ofNullable(items.get(operatorRoster)));
    List<Key> connectorKeys =
        Connectors.keys(partition, Optional.ofNullable(items.get(connectorRoster)));
    List<Key> listed = Stream.concat(operatorKeys.stream(), connectorKeys.stream()).toList();
    if (!guessed.containsAll(listed)) {
      items.putAll(read(listed.stream().filter(key -> !guessed.contains(key)).toList()));
    }
    remember(partition, listed);
    return eventLog
        .read(partition, id, items)
        .map(
            event ->
                new WatchedEvent(
                    event,
                    operators.active(present(operatorKeys, items)).stream()
                        .filter(operator -> operator.watches(event))
                        .toList(),
                    present(connectorKeys, items).stream().map(connectors::read).toList(),
                    ClaimPlan.Standing.read(partition, items)));
  }

  private Map<Key, Item> read(List<Key> keys) {
    return new HashMap<>(store.getByKey(keys));
  }

  private static List<Item> present(List<Key> keys, Map<Key, Item> items) {
    return keys.stream().flatMap(key -> Optional.ofNullable(items.get(key)).stream()).toList();
  }

  private List<Key> guess(Partition partition) {
    synchronized (seen) {
      return seen.getOrDefault(partition, List.of());
    }
  }

  private void remember(Partition partition, List<Key> listed) {
    synchronized (seen) {
      seen.put(partition, listed);
    }
  }
}
