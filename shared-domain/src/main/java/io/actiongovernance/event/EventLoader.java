package io.actiongovernance.event;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EventId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads events with their payloads and plans, in at most two round trips for any number of events.
 * Thread-safe.
 */
final class EventLoader {
  private final Store store;
  private final InstantSource clock;

  EventLoader(Store store, InstantSource clock) {
    this.store = store;
    this.clock = clock;
  }

  /** Returns the events that exist and are within their retention. */
  Map<EventId, Event> load(Partition partition, List<EventId> ids) {
    List<EventId> distinct = ids.stream().distinct().toList();
    return load(partition, distinct, read(keys(partition, distinct)));
  }

  static List<Key> keys(Partition partition, List<EventId> ids) {
    List<Key> keys = new ArrayList<>();
    for (EventId id : ids) {
      keys.add(EventItems.key(partition, id));
      keys.add(EventItems.plansKey(partition, id));
    }
    return keys;
  }

  /**
   * Assembles events from items that were read under their {@link #keys}, perhaps together with
   * others. Reads payloads that have their own items.
   */
  Map<EventId, Event> load(Partition partition, List<EventId> ids, Map<Key, Item> read) {
    Map<Key, Item> items = new HashMap<>(read);
    items.putAll(read(payloadsApart(partition, ids, items)));
    Map<EventId, Event> events = new LinkedHashMap<>();
    for (EventId id : ids) {
      @Nullable Item event = items.get(EventItems.key(partition, id));
      if (event != null && !isOver(event)) {
        @Nullable Item apart = items.get(EventItems.payloadKey(partition, id));
        @Nullable Item plans = items.get(EventItems.plansKey(partition, id));
        events.put(id, EventItems.event(partition, event, apart == null ? event : apart, plans));
      }
    }
    return events;
  }

  private static List<Key> payloadsApart(
      Partition partition, List<EventId> ids, Map<Key, Item> events) {
    List<Key> keys = new ArrayList<>();
    for (EventId id : ids) {
      @Nullable Item event = events.get(EventItems.key(partition, id));
      if (event != null && !EventItems.holdsPayload(event)) {
        keys.add(EventItems.payloadKey(partition, id));
      }
    }
    return keys;
  }

  private Map<Key, Item> read(List<Key> keys) {
    Map<Key, Item> items = new HashMap<>();
    if (!keys.isEmpty()) {
      store.getAll(keys).forEach(item -> items.put(item.key(), item));
    }
    return items;
  }

  /**
   * Returns whether the event has expired. Expired items stay for some time before they are
   * deleted.
   */
  private boolean isOver(Item event) {
    return event.whole(Table.EXPIRES, Long.MAX_VALUE) <= clock.instant().getEpochSecond();
  }
}
