package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.functions.webhook.WebhookWiring;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.webhook.CreateDeliveries;
import io.actiongovernance.webhook.CreateDeliveries.Happening;
import io.actiongovernance.webhook.DeliveryType;
import java.time.Instant;

/** Makes a delivery of a fact for each endpoint that listens: queue {@link Queue#DELIVERIES}. */
public final class FanOutHandler extends MessageHandler {
  private final CreateDeliveries createDeliveries;

  public FanOutHandler(Wiring wiring) {
    this.createDeliveries = new WebhookWiring(wiring).createDeliveries();
  }

  @Override
  protected Handled handle(JsonNode message) {
    createDeliveries.of(
        new Happening(
            Partition.parse(message.path("partition").textValue()),
            DeliveryType.parse(message.path("type").textValue()).orElseThrow(),
            message.path("id").textValue(),
            message.path("fact_id").textValue(),
            Instant.parse(message.path("at").textValue())));
    return Handled.DONE;
  }
}
