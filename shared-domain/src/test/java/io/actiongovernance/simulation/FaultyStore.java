package io.actiongovernance.simulation;

import io.actiongovernance.simulation.Faults.Fault;
import io.actiongovernance.store.InMemoryStore;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.StoreUnavailable;
import io.actiongovernance.store.Table;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A store at each call of which the process may lose its turn, die, or be told nothing. */
final class FaultyStore implements Store {
  private static final int SNAPSHOT_EVERY = 7;

  private final InMemoryStore inner;
  private final World world;
  private final TornReads torn;
  private List<Item> snapshot = List.of();
  private int writes;

  /** Until when a partition serves nobody. */
  private final Map<String, Instant> throttled = new HashMap<>();

  FaultyStore(InMemoryStore inner, World world) {
    this.inner = inner;
    this.world = world;
    this.torn = new TornReads(inner, world);
  }

  private <T> T call(List<Key> keys, @Nullable T odd, Supplier<T> call) {
    return call(keys, odd, call, call);
  }

  /**
   * A call.
   *
   * @param keys what it asks for by key
   * @param odd what it comes to where something rare happens that is no failure; null if nothing
   * @param torn the same call, but not of one moment
   */
  private <T> T call(List<Key> keys, @Nullable T odd, Supplier<T> call, Supplier<T> torn) {
    Fault fault = world.faultAtCall();
    if (fault == Fault.THROTTLE && !keys.isEmpty()) {
      Key hot = keys.get(world.random.nextInt(keys.size()));
      throttled.put(
          partition(hot), world.scheduler.instant().plusSeconds(world.random.nextInt(1, 60)));
    }
    for (Key key : keys) {
      Instant until = throttled.get(partition(key));
      if (until != null && world.scheduler.instant().isBefore(until) && !outside()) {
        throw new StoreUnavailable("Throttled: " + key, null);
      }
    }
    if (fault == null) {
      return !outside() && world.chance(world.tearing) ? torn.get() : call.get();
    }
    return switch (fault) {
      case DIE_BEFORE -> throw new Crash("before");
      case FAIL_BEFORE -> throw new StoreUnavailable("Not now.", null);
      case DIE_AFTER -> {
        T lost = call.get();
        throw new Crash("after " + lost);
      }
      case LOSE_REPLY -> {
        T lost = call.get();
        throw new StoreUnavailable("The reply was lost: " + lost, null);
      }
      case STALL -> {
        world.scheduler.sleep(Duration.ofSeconds(world.random.nextInt(1, 40)));
        yield call.get();
      }
      case ODD -> odd == null ? call.get() : odd;
      case TORN -> torn.get();
      // Of source systems alone, and done.
      case ACT_AND_FAIL, THROTTLE -> call.get();
      case TWICE_AT_ONCE -> {
        world.queues.againAtOnce();
        yield call.get();
      }
    };
  }

  @Override
  public Optional<Item> get(Key key) {
    return call(List.of(key), null, () -> inner.get(key));
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return call(keys, null, () -> inner.getAll(keys), () -> torn.getAll(keys));
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return call(keys, Optional.empty(), () -> inner.snapshot(keys));
  }

  @Override
  public Slice query(Query query) {
    return call(
        List.of(),
        query.index() == null ? null : stale(query),
        () -> inner.query(query),
        () -> torn.query(query));
  }

  private Slice stale(Query query) {
    InMemoryStore old = new InMemoryStore();
    snapshot.forEach(item -> old.write(Write.insert(item)));
    return old.query(query);
  }

  @Override
  public Written write(Write write) {
    try {
      return call(
          List.of(write.key()),
          null,
          () -> {
            wrote();
            return world.written(List.of(write.key()), () -> inner.write(write));
          });
    } catch (Crash e) {
      if (write.key().table() == Table.RESULTS && world.chance(0.5)) {
        // It was on its way: it comes when another call of the action has long been disposed.
        Duration later = Duration.ofSeconds(world.random.nextInt(30, 90));
        world.scheduler.after(later, () -> inner.write(write));
      }
      throw e;
    }
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return call(
        writes.stream().map(Write::key).toList(),
        new Transacted.Contended(),
        () -> {
          wrote();
          return world.written(
              writes.stream().map(Write::key).toList(), () -> inner.transact(writes));
        });
  }

  private boolean outside() {
    return world.scheduler.running().outside();
  }

  private static String partition(Key key) {
    return key.table() + " " + key.partition();
  }

  private void wrote() {
    if (writes++ % SNAPSHOT_EVERY == 0 && world.faults.mayBeStale()) {
      snapshot = inner.everything();
    }
  }
}
