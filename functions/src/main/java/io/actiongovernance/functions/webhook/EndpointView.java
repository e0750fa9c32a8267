package io.actiongovernance.functions.webhook;

import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.Endpoint;
import io.actiongovernance.webhook.EndpointHealth.Health;
import io.actiongovernance.webhook.EndpointStatus;
import io.actiongovernance.webhook.SigningSecret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The webhook endpoint object (specification, Webhook endpoint object; contract, section 8).
 *
 * @param secret a hint, but for the answers that tell a new one
 */
record EndpointView(
    EndpointId id,
    String object,
    String url,
    List<DeliveryType> types,
    @Nullable String description,
    EndpointStatus status,
    @Nullable String statusReason,
    @Nullable String workspaceId,
    String secret,
    @Nullable Instant previousSecretExpiresAt,
    @Nullable Instant failingSince,
    @Nullable Instant lastDeliveryAt,
    Instant createdAt,
    Instant updatedAt) {

  static EndpointView of(Endpoint endpoint, Health health, Instant now) {
    return of(endpoint, endpoint.secrets().hint(), health, now);
  }

  /** With its secret in full, if it is new. */
  static EndpointView telling(
      Endpoint endpoint, @Nullable SigningSecret secret, Health health, Instant now) {
    return of(endpoint, secret == null ? endpoint.secrets().hint() : secret.text(), health, now);
  }

  private static EndpointView of(Endpoint endpoint, String secret, Health health, Instant now) {
    return new EndpointView(
        endpoint.id(),
        "webhook_endpoint",
        endpoint.url(),
        endpoint.types(),
        endpoint.description(),
        endpoint.status(),
        endpoint.statusReason(),
        endpoint.workspaceId(),
        secret,
        endpoint.previousSecretExpiresAt(now),
        health.failingSince(),
        health.lastDeliveryAt(),
        endpoint.createdAt(),
        endpoint.updatedAt());
  }
}
