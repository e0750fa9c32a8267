package io.actiongovernance.webhook;

import io.actiongovernance.webhook.EndpointHealth.Health;
import java.time.Duration;
import java.time.Instant;

/** Notes how endpoints fare, and suspends one to which nothing has come for long. Thread-safe. */
public final class WatchEndpoint {
  /** How long an endpoint must have failed to be suspended: 120 hours. */
  static final Duration SUSPENDED_AFTER = Duration.ofDays(5);

  /** How many attempts must have failed meanwhile. */
  static final int SUSPENDED_AFTER_FAILURES = 10;

  private final EndpointHealth health;
  private final ManageEndpoints manage;

  public WatchEndpoint(EndpointHealth health, ManageEndpoints manage) {
    this.health = health;
    this.manage = manage;
  }

  void succeeded(Endpoint endpoint, Instant now) {
    health.succeeded(endpoint, now);
  }

  void failed(Endpoint endpoint, Instant now) {
    suspendIfDead(endpoint, health.failed(endpoint, now), now);
  }

  private void suspendIfDead(Endpoint endpoint, Health known, Instant now) {
    Instant since = known.failingSince();
    if (since != null
        && !now.isBefore(since.plus(SUSPENDED_AFTER))
        && known.failures() >= SUSPENDED_AFTER_FAILURES) {
      // Refused when it was changed meanwhile; then the next failure judges it anew.
      manage.suspend(
          endpoint,
          "No delivery has succeeded for "
              + SUSPENDED_AFTER.toHours()
              + " hours; "
              + known.failures()
              + " attempts failed.");
    }
  }
}
