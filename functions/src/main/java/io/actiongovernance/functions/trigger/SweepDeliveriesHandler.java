package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.aws.SqsSweeps;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.webhook.SweepDeliveries;

/**
 * Has the webhook attempts made that are overdue, shard by shard: queue {@link
 * Queue#DELIVERY_SWEEPS}.
 */
public final class SweepDeliveriesHandler extends MessageHandler {
  private final SweepDeliveries sweep;

  public SweepDeliveriesHandler(Wiring wiring) {
    this.sweep = new WebhookWiring(wiring).sweepDeliveries();
  }

  @Override
  protected Handled handle(JsonNode message) {
    sweep.sweep(SqsSweeps.shard(message));
    return Handled.DONE;
  }
}
