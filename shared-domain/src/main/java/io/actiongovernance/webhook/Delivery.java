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
 * One thing to tell one destination, and the attempts to do so (specification, Webhook delivery
 * object).
 *
 * @param id derived from destination and fact: the same fact told again is the same delivery
 * @param to the webhook endpoint or the channel
 * @param type what it tells of, by its name: a {@link DeliveryType} of an endpoint
 * @param correlationId the envelope's, or one of its own where there is none
 * @param data where the object is that it tells of
 * @param status pending until an attempt succeeds or none is left
 * @param attempt the attempts that were begun, over all rounds
 * @param roundBegan {@code attempt} as it was when the present round began: the first, or the last
 *     redelivery's
 * @param attempts those that are recorded, oldest first, the latest {@value #MOST_RECORDED}
 * @param nextAttemptAt when the next attempt is due; null unless pending
 * @param leaseUntil until when an attempt that was begun may still be under way; null if none is
 * @param redeliveredBy the request that last had it delivered again, or null
 * @param trace where the trace stands that led to what it tells of, or null
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
  /** How long deliveries are kept (contract, section 10). */
  static final Duration RETENTION = Duration.ofDays(30);

  /** Attempts whose record is kept. */
  static final int MOST_RECORDED = 100;

  public Delivery {
    attempts = List.copyOf(attempts);
  }

  /**
   * The object of a delivery, as JSON text: here, or in items of its own when it is large.
   *
   * @param text the object, or null when it is elsewhere
   * @param parts where else, or null
   */
  public record Data(@Nullable String text, @Nullable StoredParts parts) {}

  /** Where a large object is, and in how many parts. */
  public record StoredParts(String digest, int count, int size) {}

  /**
   * One attempt.
   *
   * @param attempt its number, from 1
   * @param responseStatus what the destination answered, null if it did not
   * @param error why it failed, null if it did not
   */
  public record Attempt(
      int attempt,
      Instant at,
      @Nullable Integer responseStatus,
      @Nullable String error,
      long durationMs) {}

  /** When the fact came about that it tells of. */
  public Instant createdAt() {
    return id.madeAt();
  }

  /** Where it goes. */
  public Destination destination() {
    return new Destination(partition, to);
  }

  /** What the destination last answered, or null. */
  public @Nullable Integer responseStatus() {
    return attempts.isEmpty() ? null : attempts.getLast().responseStatus();
  }

  /** Whether it is too old to be shown. */
  boolean over(Instant now) {
    return !now.isBefore(createdAt().plus(RETENTION));
  }

  /** The least identifier that is not too old to be shown. */
  static String oldest(Instant now) {
    return DeliveryId.PREFIX + Ids.floor(now.minus(RETENTION));
  }
}
