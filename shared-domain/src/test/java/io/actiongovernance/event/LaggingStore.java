package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A store whose indexes do not yet show what was logged within the last half minute, as DynamoDB's
 * may.
 */
final class LaggingStore implements Store {
  private static final Duration LAG = Duration.ofSeconds(30);

  private final Store inner;
  private final InstantSource clock;

  LaggingStore(Store inner, InstantSource clock) {
    this.inner = inner;
    this.clock = clock;
  }

  @Override
  public Slice query(Query query) {
    if (query.index() == null) {
      return inner.query(query);
    }
    List<Item> shown =
        inner.query(query.limit(Integer.MAX_VALUE)).items().stream()
            .filter(item -> LogItems.at(item).isBefore(clock.instant().minus(LAG)))
            .toList();
    boolean more = shown.size() > query.limit();
    return new Slice(more ? shown.subList(0, query.limit()) : shown, more);
  }

  @Override
  public Optional<Item> get(Key key) {
    return inner.get(key);
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return inner.getAll(keys);
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return inner.snapshot(keys);
  }

  @Override
  public Written write(Write write) {
    return inner.write(write);
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return inner.transact(writes);
  }
}
