package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.DestinationHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Creates a delivery of a fact for each channel that reports it, or a delivery of the digest that
 * includes it. A repeated fact creates no second delivery. Thread-safe.
 */
public final class NotifyChannels {
  private final Channels channels;
  private final DestinationHealth health;
  private final ComposeNotification compose;
  private final BeginDelivery beginDelivery;
  private final Bell bell;

  public NotifyChannels(
      Channels channels,
      DestinationHealth health,
      ComposeNotification compose,
      BeginDelivery beginDelivery,
      Bell bell) {
    this.channels = channels;
    this.health = health;
    this.compose = compose;
    this.beginDelivery = beginDelivery;
    this.bell = bell;
  }

  /**
   * Something that happened to an object.
   *
   * @param fact identical whenever the same change is reported again
   * @param at the time of the change; also identical then
   */
  public record Happening(
      Partition partition, String type, String objectId, String fact, Instant at) {}

  /** Creates the deliveries that do not exist yet. */
  public void of(Happening happening) {
    Optional<NotificationType> type = NotificationType.ofFact(happening.type());
    if (type.isEmpty()) {
      return;
    }
    List<Channel> listening =
        channels.all(happening.partition()).stream()
            .filter(channel -> channel.heard().contains(happening.type()))
            .toList();
    if (listening.isEmpty()) {
      return;
    }
    compose
        .of(happening.partition(), happening.type(), happening.objectId())
        .ifPresent(
            occasion ->
                listening.stream()
                    .filter(each -> each.ringsFor(occasion.workspaceId(), occasion.operator()))
                    .forEach(each -> begin(each, type.get(), occasion, happening)));
  }

  private void begin(
      Channel channel,
      NotificationType type,
      ComposeNotification.Occasion occasion,
      Happening happening) {
    DeliveryId id = BeginDelivery.id(channel.id(), happening.fact(), happening.at());
    switch (turn(channel, type, occasion, id)) {
      case Bell.Turn.Now _ ->
          beginDelivery.begin(
              channel.destination(),
              id,
              type.wire(),
              false,
              new BeginDelivery.Message(Json.write(occasion.notification()), null, null),
              health.of(channel.destination()));
      case Bell.Turn.Digest(Instant at) ->
          beginDelivery.beginAt(
              channel.destination(),
              BeginDelivery.id(channel.id(), ChannelDestination.DIGEST, at),
              ChannelDestination.DIGEST,
              new BeginDelivery.Message(Json.write(new ChannelDestination.Digest(at)), null, null),
              health.of(channel.destination()),
              at);
    }
  }

  /** Halts are set and lifted by people, so each one is notified immediately. */
  private Bell.Turn turn(
      Channel channel,
      NotificationType type,
      ComposeNotification.Occasion occasion,
      DeliveryId id) {
    OperatorId operator = occasion.operator();
    return type == NotificationType.HALT || operator == null
        ? new Bell.Turn.Now()
        : bell.take(channel, id, type.wire() + "#" + operator);
  }
}
