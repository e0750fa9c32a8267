package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Endpoints;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}}. */
@Operation(
    summary = "Retrieve a webhook endpoint",
    tag = Tag.WEBHOOKS,
    answer = WebhookEndpointView.class)
public final class RetrieveEndpointHandler implements RouteHandler<RetrieveEndpointHandler.Input> {
  private final Endpoints endpoints;
  private final EndpointViews views;

  RetrieveEndpointHandler(Endpoints endpoints, EndpointViews views) {
    this.endpoints = endpoints;
    this.views = views;
  }

  record Input(EndpointId endpointId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return endpoints
        .find(call.caller(), input.endpointId())
        .map(endpoint -> Reply.ok(views.of(endpoint)))
        .orElseGet(() -> Reply.notFound("endpoint"));
  }
}
