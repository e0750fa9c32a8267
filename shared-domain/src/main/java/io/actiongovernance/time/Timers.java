package io.actiongovernance.time;

/**
 * Timers that survive the process that starts them. They fire at least once, late rather than
 * never; stored state decides what to do then. Thread-safe.
 *
 * <p>If timers are unavailable at the moment, both methods throw {@code StoreUnavailable}: the
 * timer may or may not have been started, or stopped.
 *
 * <p>The sweeper makes up for a timer that is lost because its function failed repeatedly.
 */
public interface Timers {
  /**
   * Starts a timer, which is durable when this returns. Starting one of the same kind and name
   * again, running or long done, may do nothing and never harms.
   */
  void start(Timer timer);

  /** Stops a timer that is no longer needed; does nothing if it has fired or was never started. */
  void stop(TimerKind kind, String name);
}
