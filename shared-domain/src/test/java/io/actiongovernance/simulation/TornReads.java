package io.actiongovernance.simulation;

import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Index;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads of several items as DynamoDB makes them: each item as it is, but not all of one moment,
 * since neither a batch read nor a query is isolated from what others write meanwhile. Between its
 * two moments all others have turns. Only a snapshot, and a read of one item, is whole.
 */
final class TornReads {
  /** A batch of which a part was put off is asked for again after pauses that may take so long. */
  private static final int LONGEST_MILLIS = 3_000;

  private final InMemoryStore store;
  private final World world;

  TornReads(InMemoryStore store, World world) {
    this.store = store;
    this.world = world;
  }

  /** Some of the items before, the others after. */
  List<Item> getAll(List<Key> keys) {
    Set<Key> first =
        keys.stream().filter(_ -> world.random.nextBoolean()).collect(Collectors.toSet());
    Map<Key, Item> found = new HashMap<>(store.getByKey(List.copyOf(first)));
    othersHaveTurns();
    found.putAll(store.getByKey(keys.stream().filter(key -> !first.contains(key)).toList()));
    return keys.stream().map(found::get).filter(Objects::nonNull).toList();
  }

  /** The items up to one of them before, what comes behind it after; of an index, see below. */
  Slice query(Query query) {
    Index index = query.index();
    if (index != null) {
      return index.whole() ? store.query(query) : ofIndex(query, index);
    }
    Slice before = store.query(query);
    if (before.items().isEmpty()) {
      return before;
    }
    int cut = world.random.nextInt(before.items().size());
    String edge = before.items().get(cut).key().range();
    othersHaveTurns();
    List<Item> items = new ArrayList<>(before.items().subList(0, cut + 1));
    Slice after = store.query(query.descending() ? query.below(edge) : query.from(edge));
    after.items().stream().filter(item -> !item.key().range().equals(edge)).forEach(items::add);
    boolean more = items.size() > query.limit();
    return new Slice(more ? items.subList(0, query.limit()) : items, more || after.more());
  }

  /**
   * What an index holds are keys, by which the items are read afterwards: what has left its place
   * meanwhile is not among them.
   */
  private Slice ofIndex(Query query, Index index) {
    Slice entries = store.query(query);
    Map<Key, @Nullable String> places = new HashMap<>();
    entries.items().forEach(item -> places.put(item.key(), range(index, item)));
    othersHaveTurns();
    List<Item> items =
        store.getAll(entries.items().stream().map(Item::key).toList()).stream()
            .filter(item -> query.partition().equals(item.textOrNull(index.hash())))
            .filter(item -> Objects.equals(places.get(item.key()), range(index, item)))
            .toList();
    return items.isEmpty() ? store.query(query) : new Slice(items, entries.more());
  }

  private static @Nullable String range(Index index, Item item) {
    return index.range().equals("sk") ? item.key().range() : item.textOrNull(index.range());
  }

  private void othersHaveTurns() {
    world.scheduler.sleep(Duration.ofMillis(1 + world.random.nextInt(LONGEST_MILLIS)));
  }
}
