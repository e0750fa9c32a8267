package io.actiongovernance.store;

import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * Transactions that are retried, with growing, jittered pauses, if another write to one of their
 * items was in progress. Such a conflict is never reported as a condition that did not hold. It
 * also retries attempts that another request has overtaken. Each attempt reads and judges, and
 * writes if what it read is unchanged; otherwise it yields nothing. Thread-safe.
 */
public final class Transactions {
  private static final int TRIES = 8;

  /** Number of attempts at a change of the configuration. */
  private static final int CHANGES = 5;

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
   * Makes all of the writes or none.
   *
   * @throws StoreUnavailable also if the contention does not end
   */
  public Store.Transacted run(List<Write> writes) {
    return retry(
        TRIES,
        "A transaction met contention",
        () ->
            Optional.of(once(writes))
                .filter(result -> !(result instanceof Store.Transacted.Contended)));
  }

  /**
   * Reads the items that exist under these keys, as of one moment, and returns them by key.
   *
   * @throws StoreUnavailable also if the contention does not end
   */
  public Map<Key, Item> snapshot(List<Key> keys) {
    return retry(TRIES, "A snapshot met contention", () -> store.snapshot(keys));
  }

  /**
   * Returns the result of the first attempt that was not overtaken, with growing pauses in between.
   *
   * @param overtaken the beginning of a sentence that ends with the number of attempts
   * @throws StoreUnavailable if all attempts are overtaken
   */
  public <T> T retry(int tries, String overtaken, Supplier<Optional<T>> attempt) {
    return first(made -> made < tries, attempt, this::pause)
        .orElseThrow(() -> new StoreUnavailable(overtaken + " " + tries + " times.", null));
  }

  /**
   * Retries as long as there is time to begin another attempt.
   *
   * @throws StoreUnavailable if all attempts are overtaken
   */
  public <T> T retry(
      InstantSource clock, Duration time, String overtaken, Supplier<Optional<T>> attempt) {
    Instant until = clock.instant().plus(time);
    return first(_ -> clock.instant().isBefore(until), attempt, this::pause)
        .orElseThrow(
            () -> new StoreUnavailable(overtaken + " for " + time.toSeconds() + " seconds.", null));
  }

  /**
   * Returns the result of a request to change something. Each attempt follows the previous one at
   * once. The request is refused if other requests overtake all attempts.
   *
   * @param noun the thing that the request changes
   */
  public static <T> Outcome<T> change(String noun, Supplier<Optional<Outcome<T>>> attempt) {
    return first(made -> made < CHANGES, attempt, _ -> {})
        .orElseGet(
            () ->
                Outcome.refused(
                    new Refusal.Conflict(
                        "The " + noun + " was changed by other requests meanwhile.")));
  }

  /**
   * @param another whether to try again, by the number of attempts made
   */
  private static <T> Optional<T> first(
      IntPredicate another, Supplier<Optional<T>> attempt, IntConsumer overtaken) {
    int made = 0;
    do {
      Optional<T> done = attempt.get();
      if (done.isPresent()) {
        return done;
      }
      overtaken.accept(made++);
    } while (another.test(made));
    return Optional.empty();
  }

  /**
   * Waits before another attempt.
   *
   * @param attempt number of attempts except the first
   */
  public void pause(int attempt) {
    long ceiling = FIRST_PAUSE.toMillis() << Math.min(attempt, 6);
    sleeper.sleep(Duration.ofMillis(1 + random.nextLong(ceiling)));
  }

  /**
   * Makes one attempt. A single write is not made as a transaction, which would cost twice the
   * units.
   */
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
