package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.webhook.SweepDeliveries;

/**
 * Handles messages of {@code Queue.DELIVERY_SWEEPS}: queues overdue webhook attempts, shard by
 * shard.
 */
public final class SweepDeliveriesHandler extends MessageHandler {
  private final SweepDeliveries sweep;

  SweepDeliveriesHandler(SweepDeliveries sweep) {
    this.sweep = sweep;
  }

  @Override
  protected Handled handle(JsonNode message) {
    sweep.sweep(SqsSweeps.shard(message));
    return Handled.DONE;
  }
}
