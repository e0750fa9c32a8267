package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.DeliveryId;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.Redeliver;

/** {@code POST /v1/webhook_endpoints/{endpoint_id}/test}. */
@Operation(
    summary = "Test a webhook endpoint",
    description = "Delivers a made-up object.",
    tag = Tag.WEBHOOKS,
    status = 201,
    answer = WebhookDeliveryView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class TestEndpointHandler implements RouteHandler<TestEndpointHandler.Input> {
  private final Redeliver redeliver;

  TestEndpointHandler(Redeliver redeliver) {
    this.redeliver = redeliver;
  }

  record Input(
      EndpointId endpointId,
      @Field(doc = "Type of the delivery.", example = "plan.proposed") DeliveryType type) {}

  @Override
  public Reply handle(Call call, Input input) {
    DeliveryId id = new DeliveryId(DeliveryId.PREFIX + call.mintedId());
    return switch (redeliver.test(call.caller(), input.endpointId(), id, input.type())) {
      case Done(Deliveries.Shown shown) -> Reply.created(WebhookDeliveryView.of(shown));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
