package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.webhook.Deliveries;
import io.actiongovernance.webhook.DeliveryStatus;
import io.actiongovernance.webhook.DeliveryType;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}/deliveries}. */
public final class ListDeliveriesHandler implements FieldsHandler {
  private final Deliveries deliveries;

  public ListDeliveriesHandler(Wiring wiring) {
    this.deliveries = wiring.webhooks().deliveries();
  }

  @Override
  public Reply handle(Call call) {
    Deliveries.Filter filter =
        new Deliveries.Filter(
            call.query("status", DeliveryStatus::parse, "pending, succeeded or failed"),
            call.query("type", DeliveryType::parse, DeliveryType.CHOICES),
            call.queryTime("since"),
            call.queryTime("until"));
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return deliveries
        .list(call.caller(), call.id("endpoint_id", EndpointId::parse), filter, page)
        .map(found -> call.list(found, DeliveryView::of))
        .orElseGet(EndpointReplies::notFound);
  }
}
