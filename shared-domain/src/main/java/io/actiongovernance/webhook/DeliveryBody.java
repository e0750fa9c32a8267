package io.actiongovernance.webhook;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.json.Json;
import io.actiongovernance.time.Timestamps;
import java.nio.charset.StandardCharsets;

/** Body of an attempt: the delivery object without its status (contract, section 8). */
final class DeliveryBody {
  /** Maximum size of a body in bytes. In a longer one, {@code data} only names its object. */
  static final int LONGEST = 1 << 20;

  private DeliveryBody() {}

  /**
   * Returns the text that is signed and sent, in UTF-8.
   *
   * @param data the object, as JSON text
   */
  static String of(Delivery delivery, int attempt, String data) {
    return of(
        new SignedDelivery.Message(
            delivery.id(),
            new EndpointId(delivery.to().value()),
            DeliveryType.parse(delivery.type()).orElseThrow(),
            delivery.correlationId(),
            data),
        attempt);
  }

  static String of(SignedDelivery.Message told, int attempt) {
    ObjectNode body =
        Json.object()
            .put("id", told.id().value())
            .put("object", "webhook_delivery")
            .put("endpoint_id", told.endpoint().value())
            .put("type", told.type().wire());
    body.putRawValue("data", new RawValue(told.data()));
    body.put("correlation_id", told.correlationId())
        .put("attempt", attempt)
        .put("created_at", Timestamps.format(told.id().madeAt()));
    return Json.write(body);
  }

  /** Returns the object, or only its name if the body would be too long. */
  static String fitting(ObjectNode object) {
    String text = Json.write(object);
    if (text.getBytes(StandardCharsets.UTF_8).length <= LONGEST - ROOM) {
      return text;
    }
    return Json.write(
        Json.object()
            .put("id", object.path("id").textValue())
            .put("object", object.path("object").textValue())
            .put("truncated", true));
  }

  /** Upper bound of the size in bytes of the rest of a body. */
  private static final int ROOM = 512;
}
