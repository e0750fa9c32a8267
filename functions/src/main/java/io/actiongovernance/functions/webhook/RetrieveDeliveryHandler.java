package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Deliveries;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}}. */
@Operation(summary = "Retrieve a delivery", tag = Tag.WEBHOOKS, answer = WebhookDeliveryView.class)
public final class RetrieveDeliveryHandler implements RouteHandler<RetrieveDeliveryHandler.Input> {
  private final Deliveries deliveries;

  RetrieveDeliveryHandler(Deliveries deliveries) {
    this.deliveries = deliveries;
  }

  record Input(EndpointId endpointId, DeliveryId deliveryId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return deliveries
        .find(call.caller(), input.endpointId(), input.deliveryId())
        .map(shown -> Reply.ok(WebhookDeliveryView.of(shown)))
        .orElseGet(() -> Reply.notFound("delivery"));
  }
}
