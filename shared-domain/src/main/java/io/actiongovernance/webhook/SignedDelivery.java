package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What is posted of a delivery: for who forwards on a developer's machine what no endpoint was made
 * for, in the very form, and signed the very way, of the service's own (contract, section 8).
 */
public record SignedDelivery(String body, Map<String, String> headers) {
  public SignedDelivery {
    headers = Map.copyOf(headers);
  }

  /**
   * What a delivery tells.
   *
   * @param data the object, as JSON text
   */
  public record Message(
      DeliveryId id, EndpointId endpoint, DeliveryType type, String correlationId, String data) {
    /** The same with an object, of which a body too long for it holds the name alone. */
    public static Message of(
        DeliveryId id, EndpointId endpoint, DeliveryType type, ObjectNode object) {
      return new Message(
          id, endpoint, type, object.path("correlation_id").asText(), DeliveryBody.fitting(object));
    }
  }

  /**
   * One attempt, as it is signed at this instant.
   *
   * @param attempt its number, from 1
   */
  public static SignedDelivery of(Message told, int attempt, SigningSecret secret, Instant now) {
    String body = DeliveryBody.of(told, attempt);
    return new SignedDelivery(body, Signatures.headers(told.id(), now, body, List.of(secret)));
  }
}
