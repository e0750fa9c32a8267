package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.channel.NotifyChannels;
import io.actiongovernance.functions.aws.SqsDeliveryQueue;
import io.actiongovernance.functions.channel.ChannelWiring;
import io.actiongovernance.functions.egress.HttpWebhookSender;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Store;
import io.actiongovernance.webhook.AttemptDelivery;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.CreateDeliveries;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.DeliveryQueue;
import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.DestinationTypes;
import io.actiongovernance.webhook.EndpointDestination;
import io.actiongovernance.webhook.EndpointSecrets;
import io.actiongovernance.webhook.Endpoints;
import io.actiongovernance.webhook.ManageEndpoints;
import io.actiongovernance.webhook.PostDelivery;
import io.actiongovernance.webhook.Redeliver;
import io.actiongovernance.webhook.RetryProfile;
import io.actiongovernance.webhook.RetryTimers;
import io.actiongovernance.webhook.SweepDeliveries;
import io.actiongovernance.webhook.WatchDestination;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** Creates the use cases of webhooks. Thread-safe. */
public final class WebhookWiring {
  private final Endpoints endpoints;
  private final DestinationHealth health;
  private final ManageEndpoints manage;
  private final Deliveries deliveries;
  private final CreateDeliveries createDeliveries;
  private final NotifyChannels notifyChannels;
  private final AttemptDelivery attemptDelivery;
  private final Redeliver redeliver;
  private final SweepDeliveries sweepDeliveries;
  private final InstantSource clock;

  public WebhookWiring(Wiring wiring) {
    Settings settings = wiring.settings();
    Store store = wiring.store();
    RandomGenerator random = new SecureRandom();
    DeliveryQueue queue = new SqsDeliveryQueue(wiring.queues());
    this.clock = wiring.clock();
    RetryTimers retryTimers =
        new RetryTimers(new RetryProfile(settings.webhookRetry()), wiring.timers(), random);
    EndpointSecrets secrets = new EndpointSecrets(wiring.sealer(), random);
    BeginDelivery beginDelivery = new BeginDelivery(store, queue, retryTimers, clock);
    this.endpoints = new Endpoints(store);
    this.health = new DestinationHealth(store);
    this.manage =
        new ManageEndpoints(
            endpoints,
            health,
            secrets,
            wiring.transactions(),
            new ManageEndpoints.Terms(
                wiring.egressGuard()::problem,
                settings.rotateOverlap(),
                (endpoint, known) ->
                    (ObjectNode)
                        Json.tree(WebhookEndpointView.of(endpoint, known, clock.instant()))),
            clock);
    this.deliveries = new Deliveries(store, endpoints, clock);
    this.createDeliveries =
        new CreateDeliveries(
            endpoints, health, new ApiObjects(wiring, endpoints, health), beginDelivery);
    ChannelWiring channels = new ChannelWiring(wiring);
    this.notifyChannels = channels.notifyChannels(beginDelivery);
    this.attemptDelivery =
        new AttemptDelivery(
            store,
            new DestinationTypes(
                new EndpointDestination(
                    endpoints,
                    new PostDelivery(secrets, new HttpWebhookSender(wiring.outbound(), clock)),
                    manage),
                channels.outlet()),
            new WatchDestination(health),
            retryTimers,
            clock);
    this.redeliver = new Redeliver(endpoints, health, deliveries, createDeliveries, beginDelivery);
    this.sweepDeliveries = new SweepDeliveries(store, health, queue, clock);
  }

  public Endpoints endpoints() {
    return endpoints;
  }

  public ManageEndpoints manage() {
    return manage;
  }

  public Deliveries deliveries() {
    return deliveries;
  }

  public CreateDeliveries createDeliveries() {
    return createDeliveries;
  }

  public NotifyChannels notifyChannels() {
    return notifyChannels;
  }

  public AttemptDelivery attemptDelivery() {
    return attemptDelivery;
  }

  public Redeliver redeliver() {
    return redeliver;
  }

  public SweepDeliveries sweepDeliveries() {
    return sweepDeliveries;
  }

  EndpointViews endpointViews() {
    return new EndpointViews(health, clock);
  }
}
