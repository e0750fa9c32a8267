package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.EndpointId;
import io.actiongovernance.json.Given;
import io.actiongovernance.webhook.DeliveryType;
import io.actiongovernance.webhook.EndpointChange;
import io.actiongovernance.webhook.EndpointStatus;
import io.actiongovernance.webhook.ManageEndpoints;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/webhook_endpoints/{endpoint_id}}. */
@Operation(
    summary = "Update a webhook endpoint",
    description = "The answer contains the secret if it was rotated.",
    tag = Tag.WEBHOOKS,
    answer = WebhookEndpointView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class UpdateEndpointHandler implements RouteHandler<UpdateEndpointHandler.Input> {
  private final ManageEndpoints manage;
  private final EndpointViews views;

  UpdateEndpointHandler(ManageEndpoints manage, EndpointViews views) {
    this.manage = manage;
    this.views = views;
  }

  record Input(
      EndpointId endpointId,
      @Field(
              doc =
                  "URL to post to: HTTPS, at an address outside the network. Only one active"
                      + " endpoint of a tenant and mode can have it.",
              max = 2_000,
              format = "uri",
              published = "^https://")
          @Nullable String url,
      @Field(doc = "Delivery types to subscribe to; replaces the present types.", min = 1)
          @Nullable List<DeliveryType> types,
      @Field(
              doc = "Purpose of the endpoint, up to 500 characters; null removes it.",
              text = Field.Text.LINE,
              max = 500)
          Given<String> description,
      @Field(
              doc =
                  "`disabled` stops deliveries; `active` starts them again, also after a"
                      + " suspension.",
              choices = {"active", "disabled"})
          @Nullable EndpointStatus status,
      @Field(
              doc =
                  "True creates a new secret, which the answer contains. During an overlap, the"
                      + " oldest secret is dropped.",
              otherwise = "false",
              example = "true")
          boolean rotateSecret,
      @Field(
              doc =
                  "Seconds for which the previous secret signs as well: 0 to 604,800 (7 days),"
                      + " 86,400 (a day) by default.",
              min = 0,
              max = 604_800)
          @Nullable Long rotateOverlapSeconds) {
    EndpointChange change() {
      return new EndpointChange(
          url,
          types,
          description,
          status,
          rotateSecret,
          rotateOverlapSeconds == null ? null : Duration.ofSeconds(rotateOverlapSeconds));
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.change(call.caller(), input.endpointId(), input.change(), call.mintedId()),
        views::of);
  }
}
