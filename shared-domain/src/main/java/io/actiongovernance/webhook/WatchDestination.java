package io.actiongovernance.webhook;

import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Duration;
import java.time.Instant;

/**
 * Records the health of destinations, and suspends those that have been failing for long.
 * Thread-safe.
 */
public final class WatchDestination {
  /** Duration of failure after which a destination is suspended: 120 hours. */
  static final Duration SUSPENDED_AFTER = Duration.ofDays(5);

  /** Number of attempts that must also have failed in that time. */
  static final int SUSPENDED_AFTER_FAILURES = 10;

  private final DestinationHealth health;

  public WatchDestination(DestinationHealth health) {
    this.health = health;
  }

  void succeeded(Destination destination, Instant now) {
    health.succeeded(destination, now);
  }

  void failed(Destination destination, DestinationType.Active active, Instant now) {
    Health known = health.failed(destination, now);
    Instant since = known.failingSince();
    if (since != null
        && !now.isBefore(since.plus(SUSPENDED_AFTER))
        && known.failures() >= SUSPENDED_AFTER_FAILURES) {
      // Does nothing if the destination has changed since it was read. The next failure then judges
      // it again.
      active.suspend(
          "No delivery has succeeded for "
              + SUSPENDED_AFTER.toHours()
              + " hours; "
              + known.failures()
              + " attempts failed.");
    }
  }
}
