package io.actiongovernance.webhook;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Slice;
import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Instant;
import java.util.Optional;

/**
 * Makes deliveries without a new fact: a redelivery, a recovery of all failed deliveries in a
 * period, or a test of an endpoint (contract, section 8). Thread-safe.
 */
public final class Redeliver {
  public static final int MOST_RECOVERED = 500;

  private static final Refusal STILL_PENDING =
      new Refusal.Conflict("The delivery is still pending.");

  private final Endpoints endpoints;
  private final DestinationHealth health;
  private final Deliveries deliveries;
  private final CreateDeliveries create;
  private final BeginDelivery beginDelivery;

  public Redeliver(
      Endpoints endpoints,
      DestinationHealth health,
      Deliveries deliveries,
      CreateDeliveries create,
      BeginDelivery beginDelivery) {
    this.endpoints = endpoints;
    this.health = health;
    this.deliveries = deliveries;
    this.create = create;
    this.beginDelivery = beginDelivery;
  }

  /**
   * Failed deliveries that are being delivered again.
   *
   * @param more whether others are left
   */
  public record Recovered(int count, boolean more) {}

  /**
   * Delivers again.
   *
   * @param request identical if the same request is sent again, which then finds its own result
   */
  public Outcome<Deliveries.Shown> redeliver(
      Caller caller, EndpointId endpointId, DeliveryId id, String request) {
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return Outcome.refused(Endpoints.NOT_FOUND);
    }
    Optional<Delivery> found = deliveries.find(caller.partition(), endpointId, id);
    if (found.isEmpty()) {
      return Outcome.refused(new Refusal.NotFound("delivery"));
    }
    Delivery delivery = found.get();
    if (!request.equals(delivery.redeliveredBy())) {
      if (delivery.status() == DeliveryStatus.PENDING) {
        return Outcome.refused(STILL_PENDING);
      }
      if (!endpoint.get().active()) {
        return Outcome.refused(notActive(endpoint.get()));
      }
      if (!beginDelivery.again(delivery, health.of(endpoint.get().destination()), request)) {
        return Outcome.refused(STILL_PENDING);
      }
    }
    return Outcome.done(
        deliveries.show(deliveries.find(caller.partition(), endpointId, id).orElseThrow()));
  }

  /** Redelivers failed deliveries of facts from {@code since} on and before {@code until}. */
  public Outcome<Recovered> recover(
      Caller caller, EndpointId endpointId, Instant since, Instant until, String request) {
    if (!since.isBefore(until)) {
      return Outcome.refused(new Refusal.Invalid("until", "until must be later than since."));
    }
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return Outcome.refused(Endpoints.NOT_FOUND);
    }
    if (!endpoint.get().active()) {
      return Outcome.refused(notActive(endpoint.get()));
    }
    Health known = health.of(endpoint.get().destination());
    String next = deliveries.from(since);
    int count = 0;
    while (true) {
      Slice slice = deliveries.failed(caller.partition(), endpointId, next, until);
      for (Item item : slice.items()) {
        if (count == MOST_RECOVERED) {
          return Outcome.done(new Recovered(count, true));
        }
        Delivery delivery = DeliveryItems.read(item);
        count += beginDelivery.again(delivery, known, request) ? 1 : 0;
        next = delivery.id() + "0";
      }
      if (!slice.more() || slice.items().isEmpty()) {
        return Outcome.done(new Recovered(count, false));
      }
    }
  }

  /**
   * Delivers an example.
   *
   * @param id the identifier minted for the request
   */
  public Outcome<Deliveries.Shown> test(
      Caller caller, EndpointId endpointId, DeliveryId id, DeliveryType type) {
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return Outcome.refused(Endpoints.NOT_FOUND);
    }
    return endpoint.get().active()
        ? Outcome.done(deliveries.show(create.test(endpoint.get(), id, type)))
        : Outcome.refused(notActive(endpoint.get()));
  }

  private static Refusal notActive(Endpoint endpoint) {
    return new Refusal.Conflict(
        "The endpoint is "
            + endpoint.status().wire()
            + ": nothing is delivered to it. Set its status to active first.");
  }
}
