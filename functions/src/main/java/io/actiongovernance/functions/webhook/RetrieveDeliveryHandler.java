package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Deliveries;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}}. */
public final class RetrieveDeliveryHandler implements FieldsHandler {
  private final Deliveries deliveries;

  public RetrieveDeliveryHandler(Wiring wiring) {
    this.deliveries = wiring.webhooks().deliveries();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    EndpointId endpoint = call.id("endpoint_id", EndpointId::parse);
    DeliveryId id = call.id("delivery_id", DeliveryId::parse);
    return deliveries
        .find(call.caller(), endpoint, id)
        .map(shown -> Reply.ok(DeliveryView.of(shown)))
        .orElseGet(DeliveryReplies::notFound);
  }
}
