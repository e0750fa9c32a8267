package io.actiongovernance.functions.webhook;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.TimeRange;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.DeliveryStatus;
import io.actiongovernance.webhook.DeliveryType;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}/deliveries}. */
@Operation(
    summary = "List deliveries",
    tag = Tag.WEBHOOKS,
    answer = WebhookDeliveryView.class,
    list = true)
public final class ListDeliveriesHandler implements RouteHandler<ListDeliveriesHandler.Input> {
  private final Deliveries deliveries;

  ListDeliveriesHandler(Deliveries deliveries) {
    this.deliveries = deliveries;
  }

  record Input(
      EndpointId endpointId,
      @Field(doc = "Only deliveries in this state.") @Nullable DeliveryStatus status,
      @Field(doc = "Only deliveries of this type.") @Nullable DeliveryType type,
      @JsonUnwrapped TimeRange time,
      PageParameters page) {
    Deliveries.Filter filter() {
      return new Deliveries.Filter(status, type, time.since(), time.until());
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return deliveries
        .list(call.caller(), input.endpointId(), input.filter(), page)
        .map(found -> call.list(found, WebhookDeliveryView::of))
        .orElseGet(() -> Reply.notFound("endpoint"));
  }
}
