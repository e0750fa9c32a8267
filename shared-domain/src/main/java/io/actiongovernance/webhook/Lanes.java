package io.actiongovernance.webhook;

import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Duration;
import java.time.Instant;

/**
 * Assigns each delivery to a lane. Each destination has some lanes, so that no destination waits
 * for another's deliveries. A failing destination has a single lane, so that a tenant whose
 * destinations all fail occupies few workers.
 */
final class Lanes {
  private static final int PER_DESTINATION = 2;

  private final DeliveryQueue queue;

  Lanes(DeliveryQueue queue) {
    this.queue = queue;
  }

  /**
   * Requests an attempt.
   *
   * @param due when the sweeper looks at it next, which distinguishes this sending from earlier
   *     ones
   */
  void send(Delivery delivery, Health health, Instant due) {
    String lane =
        health.failing()
            ? delivery.to().value()
            : delivery.to().value()
                + "#"
                + Math.floorMod(delivery.id().value().hashCode(), PER_DESTINATION);
    queue.send(delivery, lane, due.toEpochMilli());
  }

  /** Returns for how long the sweeper ignores a delivery after it was sent. */
  static Duration recheck(Health health) {
    return health.failing() ? WebhookTimes.RECHECK_FAILING : WebhookTimes.RECHECK;
  }
}
