package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.webhook.Delivery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A delivery attempt, as responses show it. */
@Doc("A delivery attempt.")
public record DeliveryAttemptView(
    @Field(doc = "Number of the attempt in the delivery, from 1.", min = 1) int attempt,
    @Field(doc = "Time at which the attempt began: RFC 3339 in UTC, to the millisecond.")
        Instant at,
    @Field(doc = "HTTP status of the endpoint's answer; null if there was none.")
        @Nullable Integer responseStatus,
    @Field(doc = "Reason for the failure, for people; null if the attempt succeeded.")
        @Nullable String error,
    @Field(doc = "Duration in milliseconds.") long durationMs) {
  static DeliveryAttemptView of(Delivery.Attempt attempt) {
    return new DeliveryAttemptView(
        attempt.attempt(),
        attempt.at(),
        attempt.responseStatus(),
        attempt.error(),
        attempt.durationMs());
  }
}
