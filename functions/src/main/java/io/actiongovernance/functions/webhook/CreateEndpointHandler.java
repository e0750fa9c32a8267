package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.ManageEndpoints;
import io.actiongovernance.webhook.NewEndpoint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/webhook_endpoints}. */
@Operation(
    summary = "Create a webhook endpoint",
    description = "Only the answer to this request contains the secret.",
    tag = Tag.WEBHOOKS,
    status = 201,
    answer = WebhookEndpointView.class,
    errors = {ErrorCode.STATE_CONFLICT, ErrorCode.QUOTA_EXCEEDED})
public final class CreateEndpointHandler implements RouteHandler<CreateEndpointHandler.Input> {
  private final ManageEndpoints manage;
  private final EndpointViews views;

  CreateEndpointHandler(ManageEndpoints manage, EndpointViews views) {
    this.manage = manage;
    this.views = views;
  }

  record Input(
      @Field(
              doc =
                  "URL to post to: HTTPS, at an address outside the network. Only one active"
                      + " endpoint of a tenant and mode can have it.",
              max = 2_000,
              format = "uri",
              published = "^https://",
              example = "https://hooks.example/")
          String url,
      @Field(
              doc = "Delivery types to subscribe to.",
              min = 1,
              example = "[\"plan.proposed\", \"action.needs_approval\"]")
          List<DeliveryType> types,
      @Field(
              doc = "Purpose of the endpoint, up to 500 characters.",
              text = Field.Text.LINE,
              max = 500)
          @Nullable String description,
      @Field(
              doc =
                  "The only workspace whose objects the endpoint receives. If left out, the key's"
                      + " own workspace, or the whole tenant if the key has none.",
              text = Field.Text.LINE,
              min = 1,
              max = 100)
          @Nullable String workspaceId) {
    NewEndpoint wanted() {
      return new NewEndpoint(url, types, description, workspaceId);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    EndpointId id = new EndpointId(EndpointId.PREFIX + call.mintedId());
    return switch (manage.create(call.caller(), id, input.wanted())) {
      case Done(ManageEndpoints.WithSecret told) -> Reply.created(views.of(told));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
