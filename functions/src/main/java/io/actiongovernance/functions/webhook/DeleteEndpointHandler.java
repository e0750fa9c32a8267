package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.webhook.ManageEndpoints;

/** {@code DELETE /v1/webhook_endpoints/{endpoint_id}}. */
@Operation(
    summary = "Delete a webhook endpoint",
    description = "Its deliveries stay readable for 30 days; no more attempts are made.",
    tag = Tag.WEBHOOKS,
    answer = DeleteEndpointHandler.DeletedWebhookEndpoint.class)
public final class DeleteEndpointHandler implements RouteHandler<DeleteEndpointHandler.Input> {
  private final ManageEndpoints manage;

  DeleteEndpointHandler(ManageEndpoints manage) {
    this.manage = manage;
  }

  record Input(EndpointId endpointId) {}

  @Doc("The deleted webhook endpoint.")
  record DeletedWebhookEndpoint(
      EndpointId id,
      @Field(doc = "Always `webhook_endpoint`.", constant = "webhook_endpoint") String object,
      @Field(doc = "Always true.", constant = "true") boolean deleted) {
    static DeletedWebhookEndpoint of(EndpointId id) {
      return new DeletedWebhookEndpoint(id, "webhook_endpoint", true);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.delete(call.caller(), input.endpointId(), call.mintedId()),
        DeletedWebhookEndpoint::of);
  }
}
