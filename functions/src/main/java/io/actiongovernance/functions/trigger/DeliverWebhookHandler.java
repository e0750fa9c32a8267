package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.webhook.AttemptDelivery;

/** Handles messages of {@code Queue.ATTEMPTS}: makes one attempt at a webhook delivery for each. */
public final class DeliverWebhookHandler extends MessageHandler {
  private final AttemptDelivery attemptDelivery;

  DeliverWebhookHandler(AttemptDelivery attemptDelivery) {
    this.attemptDelivery = attemptDelivery;
  }

  @Override
  protected Handled handle(JsonNode message) {
    attemptDelivery.attempt(
        Partition.parse(message.path("partition").textValue()),
        DestinationId.of(message.path("endpoint_id").textValue()),
        new DeliveryId(message.path("delivery_id").textValue()));
    return Handled.DONE;
  }
}
