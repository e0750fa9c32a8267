package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.Outlet;
import io.actiongovernance.webhook.WebhookSender;
import java.time.Instant;
import java.util.Optional;

/** Channels as destinations of deliveries, whose data are rings. Thread-safe. */
public final class ChannelOutlet implements Outlet {
  private final Channels channels;
  private final TellChannel tellChannel;
  private final ManageChannels manage;

  public ChannelOutlet(Channels channels, TellChannel tellChannel, ManageChannels manage) {
    this.channels = channels;
    this.tellChannel = tellChannel;
    this.manage = manage;
  }

  @Override
  public Optional<Active> active(Partition partition, DestinationId id) {
    return channels
        .find(partition, new ChannelId(id.value()))
        .filter(Channel::active)
        .map(channel -> new Rung(channel));
  }

  private final class Rung implements Active {
    private final Channel channel;

    Rung(Channel channel) {
      this.channel = channel;
    }

    @Override
    public WebhookSender.Reply tell(Delivery delivery, String data, Instant now) {
      return tellChannel.tell(channel, Json.read(data, Ring.class), delivery.id().value());
    }

    @Override
    public void suspend(String reason) {
      manage.suspend(channel, reason);
    }
  }
}
