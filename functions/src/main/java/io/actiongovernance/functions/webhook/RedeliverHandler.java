package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Redeliver;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/deliveries/{delivery_id}/redeliver}. */
public final class RedeliverHandler implements FieldsHandler {
  private final Redeliver redeliver;

  public RedeliverHandler(Wiring wiring) {
    this.redeliver = wiring.webhooks().redeliver();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    EndpointId endpoint = call.id("endpoint_id", EndpointId::parse);
    DeliveryId id = call.id("delivery_id", DeliveryId::parse);
    return DeliveryReplies.of(
        redeliver.redeliver(call.caller(), endpoint, id, call.mintedId()), Reply::ok);
  }
}
