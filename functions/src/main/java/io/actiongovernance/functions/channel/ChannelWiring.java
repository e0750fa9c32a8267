package io.actiongovernance.functions.channel;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.channel.Bell;
import io.actiongovernance.channel.ChannelDestination;
import io.actiongovernance.channel.ChannelSecrets;
import io.actiongovernance.channel.Channels;
import io.actiongovernance.channel.ComposeNotification;
import io.actiongovernance.channel.ManageChannels;
import io.actiongovernance.channel.NotifyChannels;
import io.actiongovernance.channel.TellChannel;
import io.actiongovernance.channel.TestChannel;
import io.actiongovernance.functions.egress.HttpWebhookSender;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.DestinationType;
import java.time.InstantSource;

/** Creates the use cases of channels. Thread-safe. */
public final class ChannelWiring {
  private final Channels channels;
  private final DestinationHealth health;
  private final ManageChannels manage;
  private final ComposeNotification compose;
  private final TellChannel tellChannel;
  private final Bell bell;
  private final InstantSource clock;

  public ChannelWiring(Wiring wiring) {
    this.clock = wiring.clock();
    this.channels = new Channels(wiring.store());
    this.health = new DestinationHealth(wiring.store());
    ChannelSecrets secrets = new ChannelSecrets(wiring.sealer());
    this.manage =
        new ManageChannels(
            channels,
            health,
            secrets,
            wiring.transactions(),
            new ManageChannels.Terms(
                wiring.egressGuard()::problem,
                wiring.egressGuard()::names,
                (caller, operator) -> wiring.operators().find(caller, operator).isPresent(),
                (channel, known) -> (ObjectNode) Json.tree(ChannelView.of(channel, known))),
            clock);
    this.compose =
        new ComposeNotification(
            wiring.loop().reading().plans(),
            wiring.loop().reading().actions(),
            wiring.loop().executing().halts(),
            wiring.operators(),
            BaseUrl.at(wiring.settings().baseUrl(), "/console"),
            clock);
    this.bell = new Bell(wiring.store(), wiring.transactions(), clock);
    this.tellChannel =
        new TellChannel(
            secrets,
            new GuardedChannelSender(
                new HttpWebhookSender(wiring.outbound(), clock), wiring.guardedSockets(), clock));
  }

  Channels channels() {
    return channels;
  }

  ManageChannels manage() {
    return manage;
  }

  TestChannel testChannel() {
    return new TestChannel(channels, compose, tellChannel, clock);
  }

  ChannelViews views() {
    return new ChannelViews(health);
  }

  /** Notifies channels of facts, by deliveries that {@code beginDelivery} begins. */
  public NotifyChannels notifyChannels(BeginDelivery beginDelivery) {
    return new NotifyChannels(channels, health, compose, beginDelivery, bell);
  }

  /** Delivers notifications to their channels. */
  public DestinationType outlet() {
    return new ChannelDestination(channels, tellChannel, manage, compose, bell);
  }
}
