package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Redeliver;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver}. */
@Operation(
    summary = "Redeliver a delivery",
    description = "Sends the delivery again under the same id, once it has ended.",
    tag = Tag.WEBHOOKS,
    answer = WebhookDeliveryView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class RedeliverHandler implements RouteHandler<RedeliverHandler.Input> {
  private final Redeliver redeliver;

  RedeliverHandler(Redeliver redeliver) {
    this.redeliver = redeliver;
  }

  record Input(EndpointId endpointId, DeliveryId deliveryId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        redeliver.redeliver(call.caller(), input.endpointId(), input.deliveryId(), call.mintedId()),
        WebhookDeliveryView::of);
  }
}
