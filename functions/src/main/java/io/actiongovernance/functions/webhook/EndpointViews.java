package io.actiongovernance.functions.webhook;

import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.Endpoint;
import io.actiongovernance.webhook.ManageEndpoints;
import java.time.InstantSource;

/** Shows endpoints in their current state. Thread-safe. */
final class EndpointViews {
  private final DestinationHealth health;
  private final InstantSource clock;

  EndpointViews(DestinationHealth health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** An endpoint, as the response to a read shows it. */
  WebhookEndpointView of(Endpoint endpoint) {
    return WebhookEndpointView.of(endpoint, health.of(endpoint.destination()), clock.instant());
  }

  /** An endpoint, as the response to its creation or change shows it. */
  WebhookEndpointView of(ManageEndpoints.WithSecret told) {
    return WebhookEndpointView.telling(
        told.endpoint(), told.secret(), health.of(told.endpoint().destination()), clock.instant());
  }
}
