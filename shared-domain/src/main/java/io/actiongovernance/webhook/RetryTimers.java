package io.actiongovernance.webhook;

import java.time.Instant;

/**
 * What has an attempt made later. It is the path; should a timer be lost, the sweeper is the safety
 * net.
 */
public interface RetryTimers {
  /** Has the delivery attempted at the instant; starting the same timer twice is harmless. */
  void start(Delivery delivery, Instant at);
}
