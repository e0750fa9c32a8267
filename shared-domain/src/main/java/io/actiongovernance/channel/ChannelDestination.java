package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DestinationType;
import io.actiongovernance.webhook.WebhookSender;
import java.time.Instant;
import java.util.Optional;

/**
 * Channels as destinations of deliveries, whose data is a notification or a digest. Thread-safe.
 */
public final class ChannelDestination implements DestinationType {
  /** Type of the deliveries that report several facts at once. */
  static final String DIGEST = "digest";

  /** Stored data of a digest delivery. Its content is counted elsewhere until it is sent. */
  record Digest(Instant at) {}

  private final Channels channels;
  private final TellChannel tellChannel;
  private final ManageChannels manage;
  private final ComposeNotification compose;
  private final Bell bell;

  public ChannelDestination(
      Channels channels,
      TellChannel tellChannel,
      ManageChannels manage,
      ComposeNotification compose,
      Bell bell) {
    this.channels = channels;
    this.tellChannel = tellChannel;
    this.manage = manage;
    this.compose = compose;
    this.bell = bell;
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
      Notification notification =
          delivery.type().equals(DIGEST)
              ? compose.digest(
                  channel.partition(), bell.tell(channel, Json.read(data, Digest.class).at()))
              : Json.read(data, Notification.class);
      return tellChannel.tell(channel, notification, delivery.id().value());
    }

    @Override
    public void suspend(String reason) {
      manage.suspend(channel, reason);
    }
  }
}
