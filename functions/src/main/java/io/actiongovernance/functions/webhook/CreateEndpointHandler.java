package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.ManageEndpoints;

/** {@code POST /v1/webhook_endpoints}. */
public final class CreateEndpointHandler implements FieldsHandler {
  private final ManageEndpoints manage;
  private final EndpointReplies replies;

  public CreateEndpointHandler(Wiring wiring) {
    this.manage = wiring.webhooks().manage();
    this.replies = wiring.webhooks().endpointReplies();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    EndpointId id = new EndpointId(EndpointId.PREFIX + call.mintedId());
    return replies.of(manage.create(call.caller(), id, call.body()), Reply::created);
  }
}
