package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.id.EndpointId;
import java.time.Instant;
import java.util.Optional;

/** Webhook endpoints as destinations: each receives a signed POST. Thread-safe. */
public final class EndpointDestination implements DestinationType {
  private final Endpoints endpoints;
  private final PostDelivery postDelivery;
  private final ManageEndpoints manage;

  public EndpointDestination(
      Endpoints endpoints, PostDelivery postDelivery, ManageEndpoints manage) {
    this.endpoints = endpoints;
    this.postDelivery = postDelivery;
    this.manage = manage;
  }

  @Override
  public Optional<Active> active(Partition partition, DestinationId id) {
    return endpoints
        .find(partition, new EndpointId(id.value()))
        .filter(Endpoint::active)
        .map(endpoint -> new Posted(endpoint));
  }

  private final class Posted implements Active {
    private final Endpoint endpoint;

    Posted(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    public WebhookSender.Reply tell(Delivery delivery, String data, Instant now) {
      return postDelivery.post(endpoint, delivery, data, now);
    }

    @Override
    public void suspend(String reason) {
      manage.suspend(endpoint, reason);
    }
  }
}
