package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.DestinationHealth.Health;
import io.actiongovernance.webhook.Endpoint;
import io.actiongovernance.webhook.EndpointStatus;
import io.actiongovernance.webhook.SigningSecret;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The webhook endpoint object (specification, Webhook endpoint object; contract, section 8). */
@Doc("A webhook endpoint.")
public record WebhookEndpointView(
    EndpointId id,
    @Field(doc = "Always `webhook_endpoint`.", constant = "webhook_endpoint") String object,
    @Field(
            doc =
                "URL to which deliveries are posted, over HTTPS; only one active endpoint of a"
                    + " tenant and mode has it.",
            example = "https://hooks.example/")
        String url,
    @Field(doc = "Delivery types that it is subscribed to.", example = "[\"plan.proposed\"]")
        List<DeliveryType> types,
    @Field(doc = "Purpose of the endpoint; null if none was given.") @Nullable String description,
    @Field(
            doc =
                "`active`; `disabled` by the user; `suspended` by the service after 120 hours"
                    + " without a 2xx and 10 failed attempts. Only PATCH makes it active again.")
        EndpointStatus status,
    @Field(doc = "Reason for the suspension, for people; null unless suspended.")
        @Nullable String statusReason,
    @Field(
            doc =
                "The only workspace whose objects the endpoint receives; null for the whole"
                    + " tenant.")
        @Nullable String workspaceId,
    @Field(
            doc =
                "Secret that signs deliveries. `whsec_` and base64 of 32 bytes in full at"
                    + " creation and rotation only; else `whsec_…` and its last four characters.",
            example = "whsec_shownOnceAndNeverAgain")
        String secret,
    @Field(
            doc =
                "Time until which the secret before the last rotation signs as well, RFC 3339;"
                    + " null if it does not.")
        @Nullable Instant previousSecretExpiresAt,
    @Field(
            doc =
                "Time of the first failed attempt since the last success, RFC 3339; null while"
                    + " attempts succeed.")
        @Nullable Instant failingSince,
    @Field(
            doc =
                "Time of the latest attempt of a delivery, successful or not, RFC 3339; null"
                    + " before the first.")
        @Nullable Instant lastDeliveryAt,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant createdAt,
    @Field(
            doc = "Time of the last change: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.536Z")
        Instant updatedAt) {

  static WebhookEndpointView of(Endpoint endpoint, Health health, Instant now) {
    return of(endpoint, endpoint.secrets().hint(), health, now);
  }

  /** An endpoint, with its full secret if the secret is new. */
  static WebhookEndpointView telling(
      Endpoint endpoint, @Nullable SigningSecret secret, Health health, Instant now) {
    return of(endpoint, secret == null ? endpoint.secrets().hint() : secret.text(), health, now);
  }

  private static WebhookEndpointView of(
      Endpoint endpoint, String secret, Health health, Instant now) {
    return new WebhookEndpointView(
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
