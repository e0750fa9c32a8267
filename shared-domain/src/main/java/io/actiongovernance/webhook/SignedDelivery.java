package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Request of a delivery, for a tool that forwards deliveries to a developer's machine without an
 * endpoint. It has the exact form and signature of the service's own deliveries (contract, section
 * 8).
 */
public record SignedDelivery(String body, Map<String, String> headers) {
  public SignedDelivery {
    headers = Map.copyOf(headers);
  }

  /**
   * Content of a delivery.
   *
   * @param data the object, as JSON text
   */
  public record Message(
      DeliveryId id, EndpointId endpoint, DeliveryType type, String correlationId, String data) {
    /** Creates a message from an object; only with its name if the body would be too long. */
    public static Message of(
        DeliveryId id, EndpointId endpoint, DeliveryType type, ObjectNode object) {
      return new Message(
          id, endpoint, type, object.path("correlation_id").asText(), DeliveryBody.fitting(object));
    }
  }

  /**
   * Returns one attempt, signed at this instant.
   *
   * @param attempt its number, from 1
   */
  public static SignedDelivery of(Message told, int attempt, SigningSecret secret, Instant now) {
    String body = DeliveryBody.of(told, attempt);
    return new SignedDelivery(body, Signatures.headers(told.id(), now, body, List.of(secret)));
  }
}
