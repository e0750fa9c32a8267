package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.json.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One report to one destination, and the attempts to make it (specification, Webhook delivery
 * object).
 *
 * @param id derived from destination and fact, so that a repeated fact is the same delivery
 * @param to the webhook endpoint or the channel
 * @param type the name of what it reports: a {@link DeliveryType} for an endpoint
 * @param correlationId the envelope's, or its own if there is no envelope
 * @param status pending until an attempt succeeds or none is left
 * @param attempt number of attempts begun, over all rounds
 * @param roundBegan {@code attempt} when the present round began, which is the first, or that of
 *     the last redelivery
 * @param attempts the recorded attempts, oldest first, the latest {@value #MOST_RECORDED}
 * @param nextAttemptAt when the next attempt is due; null unless pending
 * @param leaseUntil the time until which an attempt may still be in progress; null if none is
 * @param redeliveredBy the request that last redelivered it, or null
 * @param trace position of the trace that led to the report, or null
 */
public record Delivery(
    DeliveryId id,
    Partition partition,
    DestinationId to,
    String type,
    boolean test,
    String correlationId,
    Data data,
    DeliveryStatus status,
    int attempt,
    int roundBegan,
    List<Attempt> attempts,
    @Nullable Instant nextAttemptAt,
    @Stored("leased_until") @Nullable Instant leaseUntil,
    @Nullable String redeliveredBy,
    @Nullable TraceParent trace) {
  /** Retention of deliveries (contract, section 10). */
  static final Duration RETENTION = Duration.ofDays(30);

  static final int MOST_RECORDED = 100;

  public Delivery {
    attempts = List.copyOf(attempts);
  }

  /**
   * The object of a delivery, as JSON text. It is here, or in items of its own if it is large.
   *
   * @param text the object, or null if it is elsewhere
   * @param parts its parts elsewhere, or null
   */
  public record Data(@Nullable String text, @Nullable StoredParts parts) {}

  /** Location of a large object, and its number of parts. */
  public record StoredParts(String digest, int count, int size) {}

  /**
   * One attempt.
   *
   * @param attempt its number, from 1
   * @param responseStatus the destination's status; null if it did not answer
   * @param error why it failed; null if it did not fail
   */
  public record Attempt(
      int attempt,
      Instant at,
      @Nullable Integer responseStatus,
      @Nullable String error,
      long durationMs) {}

  /** Returns the time of the fact that it reports. */
  public Instant createdAt() {
    return id.madeAt();
  }

  public Destination destination() {
    return new Destination(partition, to);
  }

  /** Returns the destination's last response status, or null. */
  public @Nullable Integer responseStatus() {
    return attempts.isEmpty() ? null : attempts.getLast().responseStatus();
  }

  boolean over(Instant now) {
    return !now.isBefore(createdAt().plus(RETENTION));
  }

  /** Returns the lowest identifier within retention. */
  static String oldest(Instant now) {
    return DeliveryId.PREFIX + Ids.floor(now.minus(RETENTION));
  }
}
