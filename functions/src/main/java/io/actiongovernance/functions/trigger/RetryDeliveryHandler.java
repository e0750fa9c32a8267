package io.actiongovernance.functions.trigger;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.webhook.RetryTimers;
import io.actiongovernance.webhook.SweepDeliveries;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Handles the timer {@code TimerKind.WEBHOOK_RETRY}: queues the next attempt of a delivery in its
 * lane.
 */
public final class RetryDeliveryHandler extends TimerHandler {
  private final SweepDeliveries sweep;

  RetryDeliveryHandler(SweepDeliveries sweep) {
    this.sweep = sweep;
  }

  @Override
  protected Optional<Instant> handle(Map<String, Object> timer) {
    return sweep.fired(
        Partition.parse(id(timer, RetryTimers.PARTITION)),
        DestinationId.of(id(timer, RetryTimers.ENDPOINT)),
        new DeliveryId(id(timer, RetryTimers.DELIVERY)));
  }
}
