package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.Delivery;
import io.actiongovernance.webhook.DeliveryStatus;
import io.actiongovernance.webhook.DeliveryType;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The webhook delivery object (specification, Webhook delivery object; contract, section 8). */
@Doc(
    "A delivery as the API shows it. The bodies that are posted are under the"
        + " `callbacks` of the operation that creates an endpoint.")
public record WebhookDeliveryView(
    @Field(
            doc =
                "Identifier of the delivery, the same for all attempts; consumers deduplicate"
                    + " on it.")
        DeliveryId id,
    @Field(doc = "Always `webhook_delivery`.", constant = "webhook_delivery") String object,
    EndpointId endpointId,
    @Field(doc = "Type of the delivery.", example = "plan.proposed") DeliveryType type,
    @Field(
            doc =
                "The object that the type names, as a GET answered it when the delivery was"
                    + " made. If it is over 1 MB: only its `id` and `object`, with `truncated`.",
            as = ObjectNode.class,
            example =
                "{\"id\": \"pl_00000000000000000000000001\", \"object\": \"execution_plan\","
                    + " \"truncated\": true}")
        @JsonRawValue
        String data,
    @Field(doc = "Correlation of the envelope; the delivery's own if no envelope led to it.")
        CorrelationId correlationId,
    @Field(
            doc =
                "Number of the attempt, from 1: in a posted body this attempt, in the API the"
                    + " latest.",
            min = 1)
        int attempt,
    @Field(
            doc =
                "`pending` while attempts remain, `succeeded` after a 2xx, `failed` after a"
                    + " 410 or the last attempt.")
        DeliveryStatus status,
    @Field(
            doc = "Time at which the next attempt is due, RFC 3339; null if none is.",
            example = "2026-11-22T03:16:27.676Z")
        @Nullable Instant nextAttemptAt,
    @Field(doc = "HTTP status of the latest answer; null if there was none.")
        @Nullable Integer responseStatus,
    @Field(doc = "True if it was requested as a test and `data` is made up.", example = "true")
        boolean test,
    @Field(doc = "The attempts made so far, oldest first.") List<DeliveryAttemptView> attempts,
    @Field(
            doc = "Time of creation: RFC 3339 in UTC, to the millisecond.",
            example = "2026-11-22T03:16:27.663Z")
        Instant createdAt) {

  static WebhookDeliveryView of(Deliveries.Shown shown) {
    Delivery delivery = shown.delivery();
    return new WebhookDeliveryView(
        delivery.id(),
        "webhook_delivery",
        new EndpointId(delivery.to().value()),
        DeliveryType.parse(delivery.type()).orElseThrow(),
        shown.data(),
        new CorrelationId(delivery.correlationId()),
        Math.max(1, delivery.attempt()),
        shown.status(),
        shown.status() == DeliveryStatus.PENDING ? delivery.nextAttemptAt() : null,
        delivery.responseStatus(),
        delivery.test(),
        delivery.attempts().stream().map(DeliveryAttemptView::of).toList(),
        delivery.createdAt());
  }
}
