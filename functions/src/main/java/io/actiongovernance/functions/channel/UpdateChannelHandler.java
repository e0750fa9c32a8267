package io.actiongovernance.functions.channel;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.channel.ChannelChange;
import io.actiongovernance.channel.ManageChannels;
import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.contract.Whole;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.json.Given;
import io.actiongovernance.webhook.EndpointStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code PATCH /v1/channels/{channel_id}}. */
@Operation(
    summary = "Update a channel",
    description =
        "The type of a channel cannot change. Credentials belong to the server that"
            + " they were given for: a change of `host` or `port` requires them again.",
    tag = Tag.CHANNELS,
    answer = ChannelView.class,
    errors = ErrorCode.STATE_CONFLICT)
public final class UpdateChannelHandler implements RouteHandler<UpdateChannelHandler.Input> {
  private final ManageChannels manage;
  private final ChannelViews views;

  UpdateChannelHandler(ManageChannels manage, ChannelViews views) {
    this.manage = manage;
    this.views = views;
  }

  /** The channel to change, and its new values. */
  @Whole(doc = "Fields that are left out stay as they are.")
  record Input(
      ChannelId channelId,
      @JsonUnwrapped LineForm line,
      @Field(
              doc = "Types of notification that the channel sends; replaces the present types.",
              min = 1,
              max = 10)
          @Nullable List<NotificationType> types,
      @Field(
              doc =
                  "The operators whose plans and halts the channel announces; replaces the"
                      + " present ones. Empty for all operators.",
              max = 20)
          @Nullable List<OperatorId> operators,
      @Field(
              doc = "Purpose of the channel, up to 500 characters; null removes it.",
              text = Field.Text.LINE,
              max = 500)
          Given<String> description,
      @Field(
              doc =
                  "`disabled` stops the channel; `active` starts it again, also after a"
                      + " suspension.",
              choices = {"active", "disabled"})
          @Nullable EndpointStatus status) {
    ChannelChange change() {
      return new ChannelChange(line.wanted(), types, operators, description, status);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.change(call.caller(), input.channelId(), input.change(), call.mintedId()),
        views::of);
  }
}
