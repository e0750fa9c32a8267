package io.actiongovernance.localstack.acceptance;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for what comes by itself, for a bounded time. */
final class Await {
  private static final Duration PAUSE = Duration.ofMillis(25);

  private Await() {}

  /** Looks again and again until what is seen is as wanted. */
  static <T> T until(Duration longest, Supplier<T> look, Predicate<T> wanted) {
    long deadline = System.nanoTime() + longest.toNanos();
    while (true) {
      T seen = look.get();
      if (wanted.test(seen)) {
        return seen;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("Not within " + longest + "; last seen: " + seen);
      }
      pause(PAUSE);
    }
  }

  /** Pauses for as long as a client was told to. */
  static void pause(Duration duration) {
    try {
      TimeUnit.MILLISECONDS.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
