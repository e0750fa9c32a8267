package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.Redeliver;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/test}. */
public final class TestEndpointHandler implements FieldsHandler {
  private final Redeliver redeliver;

  public TestEndpointHandler(Wiring wiring) {
    this.redeliver = wiring.webhooks().redeliver();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    DeliveryType type = call.body().choice("type", DeliveryType::parse, DeliveryType.CHOICES);
    call.body().done();
    EndpointId endpoint = call.id("endpoint_id", EndpointId::parse);
    DeliveryId id = new DeliveryId(DeliveryId.PREFIX + call.mintedId());
    return DeliveryReplies.of(redeliver.test(call.caller(), endpoint, id, type), Reply::created);
  }
}
