package io.actiongovernance.time;

import java.time.Duration;

/** Waits; a port, so that tests and the simulation need not wait. */
@FunctionalInterface
public interface Sleeper {
  /** Returns when the time has passed, or at once, interrupt flag set, if interrupted. */
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
