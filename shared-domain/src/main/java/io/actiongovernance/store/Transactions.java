package io.actiongovernance.store;

import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.util.List;
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
      Store.Transacted result = store.transact(writes);
      if (!(result instanceof Store.Transacted.Contended)) {
        return result;
      }
      long ceiling = FIRST_PAUSE.toMillis() << Math.min(attempt, 6);
      sleeper.sleep(Duration.ofMillis(1 + random.nextLong(ceiling)));
    }
    throw new StoreUnavailable("A transaction met contention " + TRIES + " times.", null);
  }
}
