package io.actiongovernance.webhook;

import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Duration;
import java.time.Instant;

/**
 * Notes how destinations fare, and suspends one to which nothing has come for long. Thread-safe.
 */
public final class WatchDestination {
  /** How long a destination must have failed to be suspended: 120 hours. */
  static final Duration SUSPENDED_AFTER = Duration.ofDays(5);

  /** How many attempts must have failed meanwhile. */
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
      // Not done when it was changed meanwhile; then the next failure judges it anew.
      active.suspend(
          "No delivery has succeeded for "
              + SUSPENDED_AFTER.toHours()
              + " hours; "
              + known.failures()
              + " attempts failed.");
    }
  }
}
