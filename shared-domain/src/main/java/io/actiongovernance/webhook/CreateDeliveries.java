package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.Partition;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.DestinationId;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.time.Timestamps;
import io.actiongovernance.webhook.DestinationHealth.Health;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Creates a delivery for each endpoint that subscribes to a fact (specification, Webhook delivery
 * types). A repeated fact creates no second delivery. Thread-safe.
 */
public final class CreateDeliveries {
  private final Endpoints endpoints;
  private final DestinationHealth health;
  private final ObjectReader objects;
  private final BeginDelivery beginDelivery;

  public CreateDeliveries(
      Endpoints endpoints,
      DestinationHealth health,
      ObjectReader objects,
      BeginDelivery beginDelivery) {
    this.endpoints = endpoints;
    this.health = health;
    this.objects = objects;
    this.beginDelivery = beginDelivery;
  }

  /**
   * Something that happened to an object.
   *
   * @param fact identical whenever the same change is reported again
   * @param at the time of the change; also identical then
   */
  public record Happening(
      Partition partition, DeliveryType type, String objectId, String fact, Instant at) {}

  /** Creates the deliveries that do not exist yet. */
  public void of(Happening happening) {
    List<Endpoint> listening =
        endpoints.all(happening.partition()).stream()
            .filter(endpoint -> endpoint.heard().contains(happening.type()))
            .toList();
    if (listening.isEmpty()) {
      return;
    }
    objects
        .read(happening.partition(), happening.type(), happening.objectId())
        .ifPresent(
            object -> {
              List<Endpoint> hearing =
                  listening.stream()
                      .filter(endpoint -> endpoint.hearsOf(object.workspaceId()))
                      .filter(endpoint -> !tellsOfItself(object.object(), endpoint))
                      .toList();
              Map<DestinationId, Health> healths =
                  health.ofAll(hearing.stream().map(Endpoint::destination).toList());
              BeginDelivery.Message told =
                  new BeginDelivery.Message(
                      DeliveryBody.fitting(object.object()),
                      object.correlationId(),
                      object.trace());
              for (Endpoint endpoint : hearing) {
                Health known = Objects.requireNonNull(healths.get(endpoint.id()));
                DeliveryId id = BeginDelivery.id(endpoint.id(), happening.fact(), happening.at());
                beginDelivery.begin(
                    endpoint.destination(), id, happening.type().wire(), false, told, known);
              }
            });
  }

  /**
   * Returns whether the object is the receipt of a configuration change to the endpoint itself, or
   * of one requested before the endpoint existed. Otherwise every endpoint would begin with its own
   * receipt. It would also receive the receipts of the setup just before it, if they were relayed
   * late enough.
   */
  private static boolean tellsOfItself(ObjectNode object, Endpoint endpoint) {
    return object.path("kind").asText().equals(Receipt.Kind.CONFIG.wire())
        && (object.at("/target/id").asText().equals(endpoint.id().value())
            || !Timestamps.read(object.path("written_at").asText()).isAfter(endpoint.createdAt()));
  }

  /**
   * Creates a delivery with an example of the type.
   *
   * @param id the identifier minted for the request that asks for it
   */
  Delivery test(Endpoint endpoint, DeliveryId id, DeliveryType type) {
    BeginDelivery.Message told =
        new BeginDelivery.Message(DeliveryBody.fitting(objects.sample(type)), null, null);
    return beginDelivery.begin(
        endpoint.destination(), id, type.wire(), true, told, health.of(endpoint.destination()));
  }
}
