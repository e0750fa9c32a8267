package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.webhook.Delivery;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One attempt of a delivery, as answers show it. */
@Doc("One attempt of a delivery.")
public record DeliveryAttemptView(
    @Field(doc = "Its number in the delivery, from 1.", min = 1) int attempt,
    @Field(doc = "When it began: RFC 3339 in UTC, to the millisecond.") Instant at,
    @Field(doc = "The HTTP status of the endpoint's answer; null when there was none.")
        @Nullable Integer responseStatus,
    @Field(doc = "Why it failed, for people; null when it did not.") @Nullable String error,
    @Field(doc = "Milliseconds from its beginning to its end.") long durationMs) {
  static DeliveryAttemptView of(Delivery.Attempt attempt) {
    return new DeliveryAttemptView(
        attempt.attempt(),
        attempt.at(),
        attempt.responseStatus(),
        attempt.error(),
        attempt.durationMs());
  }
}
