package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.AttemptDelivery;

/** Makes an attempt of a webhook delivery: queue {@link Queue#ATTEMPTS}. */
public final class DeliverWebhookHandler extends MessageHandler {
  private final AttemptDelivery attemptDelivery;

  /** For the Lambda runtime. */
  public DeliverWebhookHandler() {
    this(Wiring.onAws());
  }

  public DeliverWebhookHandler(Wiring wiring) {
    this.attemptDelivery = wiring.webhooks().attemptDelivery();
  }

  @Override
  protected Handled handle(JsonNode message) {
    attemptDelivery.attempt(
        Partition.parse(message.path("partition").textValue()),
        new EndpointId(message.path("endpoint_id").textValue()),
        new DeliveryId(message.path("delivery_id").textValue()));
    return Handled.DONE;
  }
}
