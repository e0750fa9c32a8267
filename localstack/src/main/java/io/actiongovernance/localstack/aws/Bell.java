package io.actiongovernance.localstack.aws;

import java.time.Duration;

/**
 * Tells waiting threads that something may have come. Looking costs the embedded services far more
 * than a bell. Thread-safe.
 */
public final class Bell {
  private long rung;

  /** Wakes the waiting threads, because something may have come. */
  public synchronized void ring() {
    rung++;
    notifyAll();
  }

  /**
   * Returns the number of rings. Ask before a look, so that a ring during the look is not missed.
   */
  public synchronized long rung() {
    return rung;
  }

  /**
   * Waits until the number of rings differs from {@code heard}, but no longer than {@code longest}.
   */
  public synchronized void await(long heard, Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    long left = longest.toNanos();
    while (rung == heard && left > 0) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
      left = end - System.nanoTime();
    }
  }
}
