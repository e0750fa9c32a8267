package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.annotation.JsonRawValue;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DeliveryStatus;
import io.actiongovernance.webhook.DeliveryType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The webhook delivery object (specification, Webhook delivery object; contract, section 8).
 *
 * @param attempt the latest attempt, or the first if none was begun yet
 */
record DeliveryView(
    DeliveryId id,
    String object,
    EndpointId endpointId,
    DeliveryType type,
    @JsonRawValue String data,
    String correlationId,
    int attempt,
    DeliveryStatus status,
    @Nullable Instant nextAttemptAt,
    @Nullable Integer responseStatus,
    boolean test,
    List<Delivery.Attempt> attempts,
    Instant createdAt) {

  static DeliveryView of(Deliveries.Shown shown) {
    Delivery delivery = shown.delivery();
    return new DeliveryView(
        delivery.id(),
        "webhook_delivery",
        delivery.endpointId(),
        delivery.type(),
        shown.data(),
        delivery.correlationId(),
        Math.max(1, delivery.attempt()),
        shown.status(),
        shown.status() == DeliveryStatus.PENDING ? delivery.nextAttemptAt() : null,
        delivery.responseStatus(),
        delivery.test(),
        delivery.attempts(),
        delivery.createdAt());
  }
}
