package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channel;
import io.actiongovernance.webhook.DestinationHealth;

/** Shows channels in their current state. Thread-safe. */
final class ChannelViews {
  private final DestinationHealth health;

  ChannelViews(DestinationHealth health) {
    this.health = health;
  }

  ChannelView of(Channel channel) {
    return ChannelView.of(channel, health.of(channel.destination()));
  }
}
