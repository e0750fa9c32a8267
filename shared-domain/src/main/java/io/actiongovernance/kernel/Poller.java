package io.actiongovernance.kernel;

import io.actiongovernance.time.Sleeper;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Polls for an outcome that a request is to answer with: reads it consistently, again and again, at
 * growing distances. Thread-safe.
 */
public final class Poller {
  private static final Duration FIRST = Duration.ofMillis(15);
  private static final Duration LONGEST = Duration.ofSeconds(1);

  private final InstantSource clock;
  private final Sleeper sleeper;

  public Poller(InstantSource clock, Sleeper sleeper) {
    this.clock = clock;
    this.sleeper = sleeper;
  }

  /** What the read yields once it yields something; empty if that takes until the deadline. */
  public <T> Optional<T> until(Instant deadline, Supplier<Optional<T>> read) {
    return until(deadline, Duration.ZERO, read);
  }

  /**
   * The same for what nothing can come of for a while.
   *
   * @param head for how long: it is not read before
   */
  public <T> Optional<T> until(Instant deadline, Duration head, Supplier<Optional<T>> read) {
    return until(deadline, head, read, Duration.between(clock.instant(), deadline), () -> true);
  }

  /**
   * The same, and empty too if it may not go on.
   *
   * @param moment how long it may go on in any case; whether it may longer is asked once
   */
  <T> Optional<T> until(
      Instant deadline,
      Duration head,
      Supplier<Optional<T>> read,
      Duration moment,
      BooleanSupplier mayGoOn) {
    Instant over = clock.instant().plus(moment);
    boolean asked = false;
    if (head.isPositive() && clock.instant().plus(head).isBefore(deadline)) {
      sleeper.sleep(head);
    }
    Duration pause = FIRST;
    while (true) {
      Optional<T> found = read.get();
      if (found.isPresent() || !clock.instant().plus(pause).isBefore(deadline)) {
        return found;
      }
      if (!asked && !clock.instant().isBefore(over)) {
        asked = true;
        if (!mayGoOn.getAsBoolean()) {
          return found;
        }
      }
      sleeper.sleep(pause);
      Duration longer = pause.multipliedBy(3).dividedBy(2);
      pause = longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
    }
  }
}
