package io.actiongovernance.webhook;

import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.id.Ids;
import io.actiongovernance.id.TraceParent;
import io.actiongovernance.store.Store;
import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stores deliveries and starts their first attempt, or the first attempt of another round.
 * Thread-safe.
 */
public final class BeginDelivery {
  private final Store store;
  private final DeliveryData data;
  private final Lanes lanes;
  private final RetryTimers timers;
  private final InstantSource clock;

  public BeginDelivery(Store store, DeliveryQueue queue, RetryTimers timers, InstantSource clock) {
    this.store = store;
    this.data = new DeliveryData(store);
    this.lanes = new Lanes(queue);
    this.timers = timers;
    this.clock = clock;
  }

  /**
   * Content of a delivery.
   *
   * @param correlationId the correlation of the envelope that led to it, or null
   * @param trace position of the trace that led to it, or null
   */
  public record Message(String text, @Nullable String correlationId, @Nullable TraceParent trace) {}

  /** Returns the identifier of a fact's delivery. A repeated fact has the same identifier. */
  public static DeliveryId id(DestinationId to, String fact, Instant at) {
    return new DeliveryId(DeliveryId.PREFIX + Ids.derived(at, to.value() + "\n" + fact));
  }

  /** Creates the delivery unless it exists, and returns it. */
  public Delivery begin(
      Destination to, DeliveryId id, String type, boolean test, Message told, Health known) {
    return begin(to, id, type, test, told, known, test ? Duration.ZERO : timers.first());
  }

  /** Creates the delivery with a first attempt at a later time. */
  public Delivery beginAt(
      Destination to, DeliveryId id, String type, Message told, Health known, Instant at) {
    Duration until = Duration.between(clock.instant(), at);
    Duration wait = until.isNegative() ? Duration.ZERO : until;
    return begin(to, id, type, false, told, known, wait);
  }

  private Delivery begin(
      Destination to,
      DeliveryId id,
      String type,
      boolean test,
      Message told,
      Health known,
      Duration wait) {
    Instant first = clock.instant().plus(wait);
    Delivery delivery =
        new Delivery(
            id,
            to.partition(),
            to.id(),
            type,
            test,
            // Without an envelope, the delivery is correlated only with itself.
            told.correlationId() == null
                ? CorrelationId.PREFIX + id.value().substring(DeliveryId.PREFIX.length())
                : told.correlationId(),
            data.keep(to.partition(), id, told.text()),
            DeliveryStatus.PENDING,
            0,
            0,
            List.of(),
            first,
            null,
            null,
            told.trace());
    Instant due = wait.isZero() ? first.plus(Lanes.recheck(known)) : first;
    Delivery there =
        switch (store.write(DeliveryItems.insert(delivery, due))) {
          case Store.Written.Done _ -> delivery;
          case Store.Written.Refused(var found) -> DeliveryItems.read(found.orElseThrow());
        };
    // An existing delivery may not have been sent yet.
    if (there.status() == DeliveryStatus.PENDING && there.attempt() == 0) {
      if (wait.isZero()) {
        lanes.send(there, known, due);
      } else {
        timers.start(there, first);
      }
    }
    return there;
  }

  /**
   * Begins another round of a delivery that has ended; false if another request has already done
   * so.
   */
  boolean again(Delivery delivery, Health known, String request) {
    Instant now = clock.instant();
    Instant due = now.plus(Lanes.recheck(known));
    if (!store.write(DeliveryItems.redeliver(delivery, request, now, due)).done()) {
      return false;
    }
    lanes.send(delivery, known, due);
    return true;
  }
}
