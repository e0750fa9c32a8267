package io.actiongovernance.time;

/**
 * Timers that survive the process that starts them. They fire at least once, late rather than
 * never; the stored state then decides what to do. Thread-safe.
 *
 * <p>If timers are unavailable at the moment, both methods throw {@code StoreUnavailable}. The
 * timer may or may not have been started or stopped in this case.
 *
 * <p>If a timer is lost because its function failed repeatedly, the sweeper makes up for it.
 */
public interface Timers {
  /**
   * Starts a timer, which is durable when this returns. If a timer of this kind and name is already
   * running or has ended, this may do nothing and never does harm.
   */
  void start(Timer timer);

  /** Stops a timer that is no longer needed. Does nothing if it has fired or was never started. */
  void stop(TimerKind kind, String name);
}
