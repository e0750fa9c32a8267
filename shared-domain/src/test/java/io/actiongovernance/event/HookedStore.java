package io.actiongovernance.event;

import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Slice;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A store that calls back before and after each of its calls, which are numbered from 0: to crash
 * there, or to let others run.
 */
public final class HookedStore implements Store {
  /** Called with the number of the call; what it throws, the call throws. */
  @FunctionalInterface
  public interface Hook {
    void at(int call);

    Hook NONE = call -> {};

    /** Dies at one call, as a process does. */
    static Hook dieAt(int deadly) {
      return call -> {
        if (call == deadly) {
          throw new Died();
        }
      };
    }
  }

  /** The process is gone. */
  static final class Died extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final Store inner;
  private final Hook before;
  private final Hook after;
  private final AtomicInteger calls = new AtomicInteger();

  public HookedStore(Store inner, Hook before, Hook after) {
    this.inner = inner;
    this.before = before;
    this.after = after;
  }

  private <T> T call(Supplier<T> call) {
    int number = calls.getAndIncrement();
    before.at(number);
    T answer = call.get();
    after.at(number);
    return answer;
  }

  @Override
  public Optional<Item> get(Key key) {
    return call(() -> inner.get(key));
  }

  @Override
  public List<Item> getAll(List<Key> keys) {
    return call(() -> inner.getAll(keys));
  }

  @Override
  public Optional<Map<Key, Item>> snapshot(List<Key> keys) {
    return call(() -> inner.snapshot(keys));
  }

  @Override
  public Slice query(Query query) {
    return call(() -> inner.query(query));
  }

  @Override
  public Written write(Write write) {
    return call(() -> inner.write(write));
  }

  @Override
  public Transacted transact(List<Write> writes) {
    return call(() -> inner.transact(writes));
  }
}
