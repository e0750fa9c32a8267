package io.actiongovernance.webhook;

import io.actiongovernance.id.TraceParent;
import io.actiongovernance.store.Store;
import java.net.URI;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Posts a delivery to its endpoint, signed. Thread-safe. */
public final class PostDelivery {
  private final DeliveryData data;
  private final EndpointSecrets secrets;
  private final WebhookSender sender;

  public PostDelivery(Store store, EndpointSecrets secrets, WebhookSender sender) {
    this.data = new DeliveryData(store);
    this.secrets = secrets;
    this.sender = sender;
  }

  /** What is posted at the delivery's present attempt. */
  String body(Delivery delivery) {
    return DeliveryBody.of(delivery, delivery.attempt(), data.of(delivery));
  }

  /** Posts it, as what is signed at this instant. */
  WebhookSender.Reply post(Endpoint endpoint, Delivery delivery, String body, Instant now) {
    Map<String, String> headers =
        new HashMap<>(Signatures.headers(delivery.id(), now, body, secrets.signing(endpoint, now)));
    if (delivery.trace() != null) {
      headers.put(TraceParent.NAME, delivery.trace().wire());
    }
    return sender.post(URI.create(endpoint.url()), headers, body, WebhookTimes.EXCHANGE);
  }
}
