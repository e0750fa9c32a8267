package io.actiongovernance.webhook;

import io.actiongovernance.access.Caller;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Slice;
import io.actiongovernance.webhook.EndpointHealth.Health;
import java.time.Instant;
import java.util.Optional;

/**
 * Has deliveries made that nothing has just happened for: one again, all that failed in a while, or
 * one to try an endpoint (contract, section 8). Thread-safe.
 */
public final class Redeliver {
  /** How many deliveries one request recovers at most. */
  public static final int MOST_RECOVERED = 500;

  private final Endpoints endpoints;
  private final EndpointHealth health;
  private final Deliveries deliveries;
  private final CreateDeliveries create;
  private final BeginDelivery beginDelivery;

  public Redeliver(
      Endpoints endpoints,
      EndpointHealth health,
      Deliveries deliveries,
      CreateDeliveries create,
      BeginDelivery beginDelivery) {
    this.endpoints = endpoints;
    this.health = health;
    this.deliveries = deliveries;
    this.create = create;
    this.beginDelivery = beginDelivery;
  }

  /** What became of a request for a delivery. */
  public sealed interface Result {
    /** The delivery is on its way. */
    record Done(Deliveries.Shown delivery) implements Result {}

    /** Why nothing is delivered. */
    sealed interface Refusal extends Result {}

    /** The caller sees no such endpoint. */
    record NoEndpoint() implements Refusal {}

    /** The endpoint has no such delivery. */
    record NoDelivery() implements Refusal {}

    /** It is on its way already. */
    record StillPending() implements Refusal {}

    /** Nothing is delivered to an endpoint that is not active. */
    record NotActive(EndpointStatus status) implements Refusal {}
  }

  /** What became of a request to recover. */
  public sealed interface Recovery {
    /**
     * The failed deliveries are on their way.
     *
     * @param more whether there are others left
     */
    record Done(int count, boolean more) implements Recovery {}

    record Refused(Result.Refusal why) implements Recovery {}
  }

  /**
   * Delivers again.
   *
   * @param request the same for the same request sent again, which then finds what it did
   */
  public Result redeliver(Caller caller, EndpointId endpointId, DeliveryId id, String request) {
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return new Result.NoEndpoint();
    }
    Optional<Delivery> found = deliveries.find(caller.partition(), endpointId, id);
    if (found.isEmpty()) {
      return new Result.NoDelivery();
    }
    Delivery delivery = found.get();
    if (!request.equals(delivery.redeliveredBy())) {
      if (delivery.status() == DeliveryStatus.PENDING) {
        return new Result.StillPending();
      }
      if (!endpoint.get().active()) {
        return new Result.NotActive(endpoint.get().status());
      }
      if (!beginDelivery.again(delivery, health.of(endpoint.get()), request)) {
        return new Result.StillPending();
      }
    }
    return new Result.Done(
        deliveries.show(deliveries.find(caller.partition(), endpointId, id).orElseThrow()));
  }

  /**
   * Delivers again what failed of what came about from {@code since} on and before {@code until}.
   */
  public Recovery recover(
      Caller caller, EndpointId endpointId, Instant since, Instant until, String request) {
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return new Recovery.Refused(new Result.NoEndpoint());
    }
    if (!endpoint.get().active()) {
      return new Recovery.Refused(new Result.NotActive(endpoint.get().status()));
    }
    Health known = health.of(endpoint.get());
    String next = deliveries.from(since);
    int count = 0;
    while (true) {
      Slice slice = deliveries.failed(caller.partition(), endpointId, next, until);
      for (Item item : slice.items()) {
        if (count == MOST_RECOVERED) {
          return new Recovery.Done(count, true);
        }
        Delivery delivery = DeliveryItems.read(item);
        count += beginDelivery.again(delivery, known, request) ? 1 : 0;
        next = delivery.id() + "0";
      }
      if (!slice.more() || slice.items().isEmpty()) {
        return new Recovery.Done(count, false);
      }
    }
  }

  /**
   * Delivers something made up.
   *
   * @param id minted for the request
   */
  public Result test(Caller caller, EndpointId endpointId, DeliveryId id, DeliveryType type) {
    Optional<Endpoint> endpoint = endpoints.find(caller, endpointId);
    if (endpoint.isEmpty()) {
      return new Result.NoEndpoint();
    }
    return endpoint.get().active()
        ? new Result.Done(deliveries.show(create.test(endpoint.get(), id, type)))
        : new Result.NotActive(endpoint.get().status());
  }
}
