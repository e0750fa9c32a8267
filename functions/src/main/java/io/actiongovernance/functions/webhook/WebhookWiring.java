package io.actiongovernance.functions.webhook;

import io.actiongovernance.access.Sealer;
import io.actiongovernance.functions.Settings;
import io.actiongovernance.functions.connector.EgressGuard;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Transactions;
import io.actiongovernance.webhook.EndpointHealth;
import io.actiongovernance.webhook.Endpoints;
import io.actiongovernance.webhook.ManageEndpoints;
import java.time.InstantSource;
import java.util.random.RandomGenerator;

/** The part of the composition root that webhooks take. Thread-safe. */
public final class WebhookWiring {
  private final Endpoints endpoints;
  private final EndpointHealth health;
  private final ManageEndpoints manage;
  private final InstantSource clock;

  public WebhookWiring(
      Settings settings,
      EgressGuard guard,
      Store store,
      Transactions transactions,
      Sealer sealer,
      InstantSource clock,
      RandomGenerator random) {
    this.clock = clock;
    this.endpoints = new Endpoints(store);
    this.health = new EndpointHealth(store);
    this.manage =
        new ManageEndpoints(
            endpoints,
            health,
            sealer,
            random,
            transactions,
            guard::problem,
            settings.rotateOverlap(),
            clock);
  }

  public Endpoints endpoints() {
    return endpoints;
  }

  public ManageEndpoints manage() {
    return manage;
  }

  EndpointReplies endpointReplies() {
    return new EndpointReplies(health, clock);
  }
}
