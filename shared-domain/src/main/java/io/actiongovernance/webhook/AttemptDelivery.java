package io.actiongovernance.webhook;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Makes one attempt of a delivery (specification, Delivery rules; contract, section 8). The attempt
 * is recorded before the request and after it. If the process dies in between, the attempt counts
 * as interrupted, and another is made. Thread-safe.
 */
public final class AttemptDelivery {
  private static final Logger LOG = LoggerFactory.getLogger(AttemptDelivery.class);

  private static final int GONE = 410;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int UNAVAILABLE = 503;

  private final Store store;
  private final DeliveryData data;
  private final DestinationTypes outlets;
  private final WatchDestination watch;
  private final RetryTimers timers;
  private final InstantSource clock;

  public AttemptDelivery(
      Store store,
      DestinationTypes outlets,
      WatchDestination watch,
      RetryTimers timers,
      InstantSource clock) {
    this.store = store;
    this.data = new DeliveryData(store);
    this.outlets = outlets;
    this.watch = watch;
    this.timers = timers;
    this.clock = clock;
  }

  private sealed interface Outcome {
    record Succeeded(int status) implements Outcome {}

    /** The attempt failed; {@code last} if the destination asks for no other. */
    record Failed(@Nullable Integer status, String error, @Nullable Duration asked, boolean last)
        implements Outcome {}
  }

  /**
   * Makes an attempt if one is due. Does nothing if the delivery has ended, is being attempted, or
   * is not due yet.
   */
  public void attempt(Partition partition, DestinationId to, DeliveryId id) {
    Optional<Delivery> found =
        store.get(DeliveryItems.key(partition, to, id)).map(DeliveryItems::read);
    if (found.isEmpty() || !due(found.get())) {
      return;
    }
    Delivery delivery = found.get();
    if (delivery.correlationId() != null) {
      MDC.put("correlation_id", delivery.correlationId());
    }
    Optional<DestinationType.Active> active = outlets.active(partition, to);
    if (active.isEmpty()) {
      // An inactive destination receives nothing. Once it is active again, its deliveries can be
      // recovered.
      store.write(DeliveryItems.end(delivery, withInterrupted(delivery), DeliveryStatus.FAILED));
      return;
    }
    Instant leaseUntil = now().plus(WebhookTimes.LEASE);
    if (store.write(DeliveryItems.begin(delivery, leaseUntil)).done()) {
      make(active.get(), begun(delivery, leaseUntil));
    }
  }

  private boolean due(Delivery delivery) {
    Instant now = clock.instant();
    Instant leased = delivery.leaseUntil();
    Instant next = delivery.nextAttemptAt();
    return delivery.status() == DeliveryStatus.PENDING
        && (leased == null || !now.isBefore(leased))
        && (next == null || !now.isBefore(next.minus(WebhookTimes.EARLY)));
  }

  private void make(DestinationType.Active active, Delivery delivery) {
    String told = data.of(delivery);
    Instant began = now();
    Outcome outcome = judged(active.tell(delivery, told, began));
    Instant ended = now();
    switch (outcome) {
      case Outcome.Succeeded(int status) -> {
        record(
            DeliveryItems.end(
                delivery, with(delivery, began, ended, status, null), DeliveryStatus.SUCCEEDED),
            delivery);
        watch.succeeded(delivery.destination(), ended);
      }
      case Outcome.Failed failed -> {
        failed(
            delivery, with(delivery, began, ended, failed.status(), failed.error()), failed, ended);
        watch.failed(delivery.destination(), active, ended);
      }
    }
  }

  private void failed(
      Delivery delivery, List<Delivery.Attempt> attempts, Outcome.Failed failed, Instant ended) {
    int made = delivery.attempt() - delivery.roundBegan();
    Optional<Instant> next =
        failed.last() ? Optional.empty() : timers.after(made, failed.asked()).map(ended::plus);
    if (next.isEmpty()) {
      record(DeliveryItems.end(delivery, attempts, DeliveryStatus.FAILED), delivery);
    } else if (record(DeliveryItems.retry(delivery, attempts, next.get()), delivery)) {
      timers.start(delivery, next.get());
    }
  }

  private boolean record(Write write, Delivery delivery) {
    boolean done = store.write(write).done();
    if (!done) {
      // The attempt took longer than its lease, and another has begun.
      LOG.warn("Attempt {} of {} ended too late to be recorded", delivery.attempt(), delivery.id());
    }
    return done;
  }

  private static Outcome judged(WebhookSender.Reply reply) {
    return switch (reply) {
      case WebhookSender.Reply.Failed(String error) -> new Outcome.Failed(null, error, null, false);
      case WebhookSender.Reply.Answered answered -> {
        int status = answered.status();
        String problem = answered.problem();
        if (problem == null) {
          yield new Outcome.Succeeded(status);
        }
        boolean paces = status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
        yield new Outcome.Failed(
            status, problem, paces ? answered.retryAfter() : null, status == GONE);
      }
    };
  }

  private static List<Delivery.Attempt> with(
      Delivery delivery,
      Instant began,
      Instant ended,
      @Nullable Integer status,
      @Nullable String error) {
    List<Delivery.Attempt> attempts = new ArrayList<>(delivery.attempts());
    attempts.add(
        new Delivery.Attempt(
            delivery.attempt(), began, status, error, Duration.between(began, ended).toMillis()));
    return latest(attempts);
  }

  /**
   * Returns the delivery with a new attempt begun. An earlier attempt that was begun and not
   * recorded counts as interrupted.
   */
  private static Delivery begun(Delivery delivery, Instant leaseUntil) {
    return new Delivery(
        delivery.id(),
        delivery.partition(),
        delivery.to(),
        delivery.type(),
        delivery.test(),
        delivery.correlationId(),
        delivery.data(),
        delivery.status(),
        delivery.attempt() + 1,
        delivery.roundBegan(),
        withInterrupted(delivery),
        delivery.nextAttemptAt(),
        leaseUntil,
        delivery.redeliveredBy(),
        delivery.trace());
  }

  private static List<Delivery.Attempt> withInterrupted(Delivery delivery) {
    Instant leased = delivery.leaseUntil();
    if (leased == null) {
      return delivery.attempts();
    }
    List<Delivery.Attempt> attempts = new ArrayList<>(delivery.attempts());
    attempts.add(
        new Delivery.Attempt(
            delivery.attempt(),
            leased.minus(WebhookTimes.LEASE),
            null,
            "interrupted: its result is not known",
            0));
    return latest(attempts);
  }

  private static List<Delivery.Attempt> latest(List<Delivery.Attempt> attempts) {
    int over = Math.max(0, attempts.size() - Delivery.MOST_RECORDED);
    return attempts.subList(over, attempts.size());
  }

  private Instant now() {
    return clock.instant().truncatedTo(ChronoUnit.MILLIS);
  }
}
