package io.actiongovernance.functions.aws;

import io.actiongovernance.time.Sleeper;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses between attempts: of 50 ms at most after the first, twice as much after each that
 * follows, and drawn anew each time, so that those who were put off together do not come back
 * together. Thread-safe.
 */
record Pauses(Sleeper sleeper, RandomGenerator random) {
  private static final Duration FIRST = Duration.ofMillis(50);

  /** Those of a deployed function: drawn by the operating system, not by what a snapshot kept. */
  static Pauses real() {
    return new Pauses(Sleeper.real(), new SecureRandom());
  }

  /** Pauses after this attempt, the first being 1. */
  void after(int attempt) {
    long longest = FIRST.toMillis() << (attempt - 1);
    sleeper.sleep(Duration.ofMillis(1 + random.nextLong(longest)));
  }
}
