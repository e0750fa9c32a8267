package io.actiongovernance.webhook;

import io.actiongovernance.id.TraceParent;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Posts a delivery to its endpoint, signed. Thread-safe. */
public final class PostDelivery {
  private final EndpointSecrets secrets;
  private final WebhookSender sender;

  public PostDelivery(EndpointSecrets secrets, WebhookSender sender) {
    this.secrets = secrets;
    this.sender = sender;
  }

  /** Posts the delivery's present attempt, signed at this instant. */
  WebhookSender.Reply post(Endpoint endpoint, Delivery delivery, String data, Instant now) {
    String body = DeliveryBody.of(delivery, delivery.attempt(), data);
    Map<String, String> headers =
        new HashMap<>(Signatures.headers(delivery.id(), now, body, secrets.signing(endpoint, now)));
    if (delivery.trace() != null) {
      headers.put(TraceParent.NAME, delivery.trace().wire());
    }
    return sender.post(URI.create(endpoint.url()), headers, body, WebhookTimes.EXCHANGE);
  }
}
