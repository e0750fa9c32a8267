package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.Endpoints;

/** {@code GET /v1/webhook_endpoints/{endpoint_id}}. */
public final class RetrieveEndpointHandler implements FieldsHandler {
  private final Endpoints endpoints;
  private final EndpointReplies replies;

  public RetrieveEndpointHandler(Wiring wiring) {
    this.endpoints = wiring.webhooks().endpoints();
    this.replies = wiring.webhooks().endpointReplies();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    return endpoints
        .find(call.caller(), call.id("endpoint_id", EndpointId::parse))
        .map(endpoint -> Reply.ok(replies.view(endpoint)))
        .orElseGet(EndpointReplies::notFound);
  }
}
