package io.actiongovernance.functions.trigger;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.channel.NotifyChannels;
import io.actiongovernance.webhook.CreateDeliveries;
import io.actiongovernance.webhook.DeliveryType;
import java.time.Instant;

/**
 * Handles messages of {@code Queue.DELIVERIES}: makes a delivery of a fact for each listening
 * endpoint and channel.
 */
public final class FanOutHandler extends MessageHandler {
  private final CreateDeliveries createDeliveries;
  private final NotifyChannels notifyChannels;

  FanOutHandler(CreateDeliveries createDeliveries, NotifyChannels notifyChannels) {
    this.createDeliveries = createDeliveries;
    this.notifyChannels = notifyChannels;
  }

  @Override
  protected Handled handle(JsonNode message) {
    Partition partition = Partition.parse(message.path("partition").textValue());
    String type = message.path("type").textValue();
    String object = message.path("id").textValue();
    String fact = message.path("fact_id").textValue();
    Instant at = Instant.parse(message.path("at").textValue());
    DeliveryType.parse(type)
        .ifPresent(
            told ->
                createDeliveries.of(
                    new CreateDeliveries.Happening(partition, told, object, fact, at)));
    notifyChannels.of(new NotifyChannels.Happening(partition, type, object, fact, at));
    return Handled.DONE;
  }
}
