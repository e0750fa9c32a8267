package io.actiongovernance.time;

/**
 * Timers that survive the process that starts them. They fire at least once, late rather than
 * never; what has to be done then is decided by what is stored. Thread-safe.
 *
 * <p>Where timers cannot be had at the moment, both throw {@code StoreUnavailable}: the timer may
 * or may not have been started, or stopped.
 *
 * <p>A timer that is lost for good, because its function failed over and over, is the sweeper's to
 * make up for.
 */
public interface Timers {
  /**
   * Starts a timer. It has been written down when this returns. Starting one of the same kind and
   * name again, running or long over, may do nothing and never harms.
   */
  void start(Timer timer);

  /**
   * Stops a timer that is no longer needed; one that is over or was never started is left alone.
   */
  void stop(TimerKind kind, String name);
}
