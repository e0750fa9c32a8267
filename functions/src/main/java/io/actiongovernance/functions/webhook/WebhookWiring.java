package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.GovernedLoop;
import io.actiongovernance.access.Sealer;
import io.actiongovernance.connector.Connectors;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.time.Timers;
import io.actiongovernance.webhook.AttemptDelivery;
import io.actiongovernance.webhook.BeginDelivery;
import io.actiongovernance.webhook.CreateDeliveries;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.DeliveryQueue;
import io.actiongovernance.webhook.EndpointHealth;
import io.actiongovernance.webhook.EndpointSecrets;
import io.actiongovernance.webhook.Endpoints;
import io.actiongovernance.webhook.ManageEndpoints;
import io.actiongovernance.webhook.PostDelivery;
import io.actiongovernance.webhook.Redeliver;
import io.actiongovernance.webhook.RetryProfile;
import io.actiongovernance.webhook.RetryTimers;
import io.actiongovernance.webhook.SweepDeliveries;
import io.actiongovernance.webhook.WatchEndpoint;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** The part of the composition root that webhooks take. Thread-safe. */
public final class WebhookWiring {
  private final Endpoints endpoints;
  private final EndpointHealth health;
  private final ManageEndpoints manage;
  private final Deliveries deliveries;
  private final CreateDeliveries createDeliveries;
  private final AttemptDelivery attemptDelivery;
  private final Redeliver redeliver;
  private final SweepDeliveries sweepDeliveries;
  private final InstantSource clock;

  public WebhookWiring(
      Settings settings,
      EgressGuard guard,
      OutboundClient client,
      Store store,
      Transactions transactions,
      Sealer sealer,
      GovernedLoop loop,
      Connectors connectors,
      DeliveryQueue queue,
      Timers timers,
      InstantSource clock,
      RandomGenerator random) {
    RetryTimers retryTimers =
        new RetryTimers(new RetryProfile(settings.webhookRetry()), timers, random);
    EndpointSecrets secrets = new EndpointSecrets(sealer, random);
    BeginDelivery beginDelivery = new BeginDelivery(store, queue, retryTimers, clock);
    this.clock = clock;
    this.endpoints = new Endpoints(store);
    this.health = new EndpointHealth(store);
    this.manage =
        new ManageEndpoints(
            endpoints,
            health,
            secrets,
            transactions,
            new ManageEndpoints.Terms(
                guard::problem,
                settings.rotateOverlap(),
                (endpoint, known) ->
                    (ObjectNode)
                        Json.tree(WebhookEndpointView.of(endpoint, known, clock.instant()))),
            clock);
    this.deliveries = new Deliveries(store, endpoints, clock);
    this.createDeliveries =
        new CreateDeliveries(
            endpoints,
            health,
            new ApiObjects(loop, connectors, endpoints, health, clock),
            beginDelivery);
    this.attemptDelivery =
        new AttemptDelivery(
            store,
            endpoints,
            new PostDelivery(store, secrets, new HttpWebhookSender(client, clock)),
            new WatchEndpoint(health, manage),
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
