package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.EndpointChange;
import io.actiongovernance.webhook.ManageEndpoints;

/** {@code PATCH /v1/webhook_endpoints/{endpoint_id}}. */
public final class UpdateEndpointHandler implements FieldsHandler {
  private final ManageEndpoints manage;
  private final EndpointReplies replies;

  public UpdateEndpointHandler(Wiring wiring) {
    this.manage = wiring.webhooks().manage();
    this.replies = wiring.webhooks().endpointReplies();
  }

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    EndpointChange change = manage.change(call.body());
    EndpointId id = call.id("endpoint_id", EndpointId::parse);
    return replies.of(manage.change(call.caller(), id, change, call.mintedId()), Reply::ok);
  }
}
