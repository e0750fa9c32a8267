package io.actiongovernance.functions.aws;

import io.actiongovernance.time.Sleeper;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses between attempts: at most 50 ms after the first, doubling after each that follows.
 * Each is drawn at random, so that requests put off together do not return together. Thread-safe.
 */
record Pauses(Sleeper sleeper, RandomGenerator random) {
  private static final Duration FIRST = Duration.ofMillis(50);

  /** The pauses of a deployed function, drawn by the operating system, not from a snapshot. */
  static Pauses real() {
    return new Pauses(Sleeper.real(), new SecureRandom());
  }

  /** Pauses after this attempt; the first is 1. */
  void after(int attempt) {
    long longest = FIRST.toMillis() << (attempt - 1);
    sleeper.sleep(Duration.ofMillis(1 + random.nextLong(longest)));
  }
}
