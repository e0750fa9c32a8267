package io.actiongovernance.functions.aws;

import io.actiongovernance.time.Sleeper;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pauses between attempts: at most 50 ms after the first attempt; this maximum doubles with
 * each later one. Each pause is random, so that requests put off together do not return together.
 * Thread-safe.
 */
record Pauses(Sleeper sleeper, RandomGenerator random) {
  private static final Duration FIRST = Duration.ofMillis(50);

  /**
   * The pauses of a deployed function. Their randomness comes from the operating system, not from a
   * snapshot.
   */
  static Pauses real() {
    return new Pauses(Sleeper.real(), new SecureRandom());
  }

  /** Pauses after this attempt; attempts count from 1. */
  void after(int attempt) {
    long longest = FIRST.toMillis() << (attempt - 1);
    sleeper.sleep(Duration.ofMillis(1 + random.nextLong(longest)));
  }
}
