package io.actiongovernance.localstack.aws;

import java.time.Duration;

/**
 * Notifies waiting threads that something may have arrived. Checking the embedded services costs
 * far more than such a notification. Thread-safe.
 */
public final class Bell {
  private long rung;

  /** Wakes the waiting threads, because something may have arrived. */
  public synchronized void ring() {
    rung++;
    notifyAll();
  }

  /**
   * Returns the number of rings. Read it before a check, so that a ring during the check is not
   * missed.
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
