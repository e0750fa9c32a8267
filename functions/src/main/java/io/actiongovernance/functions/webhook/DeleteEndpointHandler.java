package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.FieldsHandler;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.ManageEndpoints;

/** {@code DELETE /v1/webhook_endpoints/{endpoint_id}}. */
public final class DeleteEndpointHandler implements FieldsHandler {
  private final ManageEndpoints manage;

  public DeleteEndpointHandler(Wiring wiring) {
    this.manage = wiring.webhooks().manage();
  }

  record Deleted(EndpointId id, String object, boolean deleted) {}

  @Override
  public Reply handle(Call call) {
    call.noOtherQuery();
    call.body().done();
    EndpointId id = call.id("endpoint_id", EndpointId::parse);
    return manage.delete(call.caller(), id, call.mintedId())
        ? Reply.ok(new Deleted(id, "webhook_endpoint", true))
        : EndpointReplies.notFound();
  }
}
