package io.actiongovernance.localstack.aws;

import java.time.Duration;

/**
 * Tells who waits that something may have come: a look costs the embedded services far more than
 * being told. Thread-safe.
 */
public final class Bell {
  private long rung;

  /** Something may have come. */
  public synchronized void ring() {
    rung++;
    notifyAll();
  }

  /** How often it has rung: asked before a look, so that nothing is missed that comes meanwhile. */
  public synchronized long rung() {
    return rung;
  }

  /** Waits until it rings, unless it has since it had so often, for no longer than that. */
  public synchronized void await(long heard, Duration longest) throws InterruptedException {
    long end = System.nanoTime() + longest.toNanos();
    long left = longest.toNanos();
    while (rung == heard && left > 0) {
      wait(left / 1_000_000, (int) (left % 1_000_000));
      left = end - System.nanoTime();
    }
  }
}
