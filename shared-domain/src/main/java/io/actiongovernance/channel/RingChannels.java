package io.actiongovernance.channel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.DestinationHealth;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Makes a delivery of a fact for each channel that rings for it. A fact that is told again makes
 * none twice. Thread-safe.
 */
public final class RingChannels {
  private final Channels channels;
  private final DestinationHealth health;
  private final ComposeRing compose;
  private final BeginDelivery beginDelivery;

  public RingChannels(
      Channels channels,
      DestinationHealth health,
      ComposeRing compose,
      BeginDelivery beginDelivery) {
    this.channels = channels;
    this.health = health;
    this.compose = compose;
    this.beginDelivery = beginDelivery;
  }

  /**
   * Something that has happened to an object.
   *
   * @param type the name of the fact
   * @param fact the same whenever the same change is told again
   * @param at when, likewise the same
   */
  public record Happening(
      Partition partition, String type, String objectId, String fact, Instant at) {}

  /** Makes the deliveries that are not there yet. */
  public void of(Happening happening) {
    Optional<RingType> type = RingType.ofFact(happening.type());
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
                    .forEach(each -> begin(each, type.get(), occasion.ring(), happening)));
  }

  private void begin(Channel channel, RingType type, Ring ring, Happening happening) {
    beginDelivery.begin(
        channel.destination(),
        BeginDelivery.id(channel.id(), happening.fact(), happening.at()),
        type.wire(),
        false,
        new BeginDelivery.Told(Json.write(ring), null, null),
        health.of(channel.destination()));
  }
}
