package io.actiongovernance.webhook;

import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Duration;
import java.time.Instant;

/**
 * Which lane a delivery waits in: some lanes for each destination, so that none waits for
 * another's; a single one for one that fails, so that a tenant whose destinations are all dead
 * keeps few hands busy.
 */
final class Lanes {
  private static final int PER_DESTINATION = 2;

  private final DeliveryQueue queue;

  Lanes(DeliveryQueue queue) {
    this.queue = queue;
  }

  /**
   * Has an attempt made.
   *
   * @param due when the sweeper looks at it next, which tells this sending from earlier ones
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

  /** How long the sweeper leaves a delivery alone that was sent. */
  static Duration recheck(Health health) {
    return health.failing() ? WebhookTimes.RECHECK_FAILING : WebhookTimes.RECHECK;
  }
}
