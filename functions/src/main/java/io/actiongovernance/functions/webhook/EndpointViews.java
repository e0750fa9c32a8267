package io.actiongovernance.functions.webhook;

import io.actiongovernance.webhook.DestinationHealth;
import io.actiongovernance.webhook.Endpoint;
import io.actiongovernance.webhook.ManageEndpoints;
import java.time.InstantSource;

/** Shows endpoints as they are at the moment. Thread-safe. */
final class EndpointViews {
  private final DestinationHealth health;
  private final InstantSource clock;

  EndpointViews(DestinationHealth health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** What reads show of an endpoint. */
  WebhookEndpointView of(Endpoint endpoint) {
    return WebhookEndpointView.of(endpoint, health.of(endpoint.destination()), clock.instant());
  }

  /** What the answer to a request to make or change it shows. */
  WebhookEndpointView of(ManageEndpoints.WithSecret told) {
    return WebhookEndpointView.telling(
        told.endpoint(), told.secret(), health.of(told.endpoint().destination()), clock.instant());
  }
}
