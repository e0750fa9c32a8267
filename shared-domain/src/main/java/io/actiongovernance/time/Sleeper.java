package io.actiongovernance.time;

import java.time.Duration;

/** Waits. It is a port, so that tests and the simulation need not wait. */
@FunctionalInterface
public interface Sleeper {
  /**
   * Returns when the time has passed. If interrupted, returns at once with the interrupt flag set.
   */
  void sleep(Duration time);

  static Sleeper real() {
    return time -> {
      try {
        Thread.sleep(time);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
