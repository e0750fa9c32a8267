package io.actiongovernance.localstack;

import io.actiongovernance.functions.Composition;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A store that takes its time for one kind of item, once it has done what it was asked.
 * Thread-safe.
 */
final class SlowStore implements Store {
  private final Store store;
  private volatile String part = "";
  private volatile boolean writes;
  private volatile Duration takes = Duration.ZERO;
  private volatile CountDownLatch asked = new CountDownLatch(0);

  private SlowStore(Store store) {
    this.store = store;
  }

  static SlowStore of(Wiring wiring) {
    return new SlowStore(wiring.store());
  }

  /** The wiring over this store. */
  Wiring rewire(Wiring wiring) {
    return Composition.of(wiring.settings(), wiring.clients(), wiring.clock(), wiring.ids(), this);
  }

  /**
   * From now on writes, or reads, of items whose partition has this part take so long.
   *
   * @return opened when the first begins
   */
  CountDownLatch slow(String partitionPart, boolean ofWrites, Duration each) {
    CountDownLatch first = new CountDownLatch(1);
    asked = first;
    writes = ofWrites;
    takes = each;
    part = partitionPart;
    return first;
  }

  void quick() {
    part = "";
  }

  private void pass(List<Key> keys, boolean writing) {
    String slow = part;
    boolean met =
        !slow.isEmpty()
            && writing == writes
            && keys.stream().anyMatch(key -> key.partition().contains(slow));
    if (met) {
      asked.countDown();
      try {
        TimeUnit.NANOSECONDS.sleep(takes.toNanos());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public Optional<Item> get(Key key) {
    Optional<Item> found = store.get(key);
    pass(List.of(key), false);
    return found;
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    List<Item> found = store.getAll(keys);
    pass(keys, false);
    return found;
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    Optional<Map<Key, Item>> found = store.snapshot(keys);
    pass(keys, false);
    return found;
  }

  @Override
  public Slice query(Query query) {
    return store.query(query);
  }

  @Override
  public Written write(Write write) {
    Written written = store.write(write);
    pass(List.of(write.key()), true);
    return written;
  }

  @Override
  public Transacted transact(List<Write> all) {
    Transacted written = store.transact(all);
    pass(all.stream().map(Write::key).toList(), true);
    return written;
  }
}
