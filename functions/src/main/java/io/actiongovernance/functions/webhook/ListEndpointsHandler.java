package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.page.PageRequest;
import io.actiongovernance.webhook.Endpoints;

/** {@code GET /v1/webhook_endpoints}. */
public final class ListEndpointsHandler implements FieldsHandler {
  private final Endpoints endpoints;
  private final EndpointReplies replies;

  public ListEndpointsHandler(Wiring wiring) {
    this.endpoints = wiring.webhooks().endpoints();
    this.replies = wiring.webhooks().endpointReplies();
  }

  @Override
  public Reply handle(Call call) {
    PageRequest page = call.pageRequest();
    call.noOtherQuery();
    return call.list(endpoints.list(call.caller(), page), replies::view);
  }
}
