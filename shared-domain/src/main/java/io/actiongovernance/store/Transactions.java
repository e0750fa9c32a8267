package io.actiongovernance.store;

import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Transactions that are tried again when another write to one of their items was under way, with
 * growing, jittered pauses. Such a conflict is never reported as a condition that did not hold.
 * Thread-safe.
 */
public final class Transactions {
  private static final int TRIES = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

  private final Store store;
  private final Sleeper sleeper;
  private final RandomGenerator random;

  public Transactions(Store store, Sleeper sleeper, RandomGenerator random) {
    this.store = store;
    this.sleeper = sleeper;
    this.random = random;
  }

  /**
   * All of the writes or none.
   *
   * @throws StoreUnavailable also when the contention does not end
   */
  public Store.Transacted run(List<Write> writes) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Store.Transacted result = once(writes);
      if (!(result instanceof Store.Transacted.Contended)) {
        return result;
      }
      pause(attempt);
    }
    throw new StoreUnavailable("A transaction met contention " + TRIES + " times.", null);
  }

  /**
   * The items that exist among these, by their keys, as they were at one moment.
   *
   * @throws StoreUnavailable also when the contention does not end
   */
  public Map<Key, Item> snapshot(List<Key> keys) {
    for (int attempt = 0; attempt < TRIES; attempt++) {
      Optional<Map<Key, Item>> found = store.snapshot(keys);
      if (found.isPresent()) {
        return found.get();
      }
      pause(attempt);
    }
    throw new StoreUnavailable("A snapshot met contention " + TRIES + " times.", null);
  }

  /**
   * Waits before another try.
   *
   * @param attempt how many there were, but for the first
   */
  public void pause(int attempt) {
    long ceiling = FIRST_PAUSE.toMillis() << Math.min(attempt, 6);
    sleeper.sleep(Duration.ofMillis(1 + random.nextLong(ceiling)));
  }

  /** One attempt, made once. A single write is no transaction, which would take twice the units. */
  public Store.Transacted once(List<Write> writes) {
    if (writes.size() > 1 || writes.getFirst() instanceof Write.Check) {
      return store.transact(writes);
    }
    return switch (store.write(writes.getFirst())) {
      case Store.Written.Done _ -> new Store.Transacted.Done();
      case Store.Written.Refused(Optional<Item> found) ->
          new Store.Transacted.Refused(List.of(new Store.Refusal(0, found)));
    };
  }
}
