package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.webhook.Endpoints;

/** {@code GET /v1/webhook_endpoints}. */
@Operation(
    summary = "List webhook endpoints",
    tag = Tag.WEBHOOKS,
    answer = WebhookEndpointView.class,
    list = true)
public final class ListEndpointsHandler implements RouteHandler<ListEndpointsHandler.Input> {
  private final Endpoints endpoints;
  private final EndpointViews views;

  ListEndpointsHandler(Endpoints endpoints, EndpointViews views) {
    this.endpoints = endpoints;
    this.views = views;
  }

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    PageRequest page = call.page(input.page());
    return call.list(endpoints.list(call.caller(), page), views::of);
  }
}
