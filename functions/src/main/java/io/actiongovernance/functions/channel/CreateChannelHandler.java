package io.actiongovernance.functions.channel;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.actiongovernance.channel.ChannelType;
import io.actiongovernance.channel.ManageChannels;
import io.actiongovernance.channel.NewChannel;
import io.actiongovernance.channel.NotificationType;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ChannelId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code POST /v1/channels}. */
@Operation(
    summary = "Create a channel",
    description =
        "`slack` needs `url`; `email` needs `host`, `port`, `from` and `to`. Secret"
            + " parts are never shown again.",
    tag = Tag.CHANNELS,
    status = 201,
    answer = ChannelView.class,
    errors = ErrorCode.QUOTA_EXCEEDED)
public final class CreateChannelHandler implements RouteHandler<CreateChannelHandler.Input> {
  private final ManageChannels manage;
  private final ChannelViews views;

  CreateChannelHandler(ManageChannels manage, ChannelViews views) {
    this.manage = manage;
    this.views = views;
  }

  record Input(
      @Field(doc = "`slack`, an incoming webhook; `email`, over SMTP.", example = "slack")
          ChannelType type,
      @JsonUnwrapped LineForm line,
      @Field(
              doc = "Types of notification that the channel sends.",
              min = 1,
              max = 10,
              example = "[\"approval.requested\", \"halt\"]")
          List<NotificationType> types,
      @Field(
              doc =
                  "The operators whose plans and halts the channel announces; all operators if"
                      + " left out or empty.",
              max = 20)
          @Nullable List<OperatorId> operators,
      @Field(
              doc = "Purpose of the channel, up to 500 characters.",
              text = Field.Text.LINE,
              max = 500)
          @Nullable String description,
      @Field(
              doc =
                  "The only workspace whose objects the channel announces. If left out, the key's"
                      + " own workspace, or the whole tenant if the key has none.",
              text = Field.Text.LINE,
              min = 1,
              max = 100)
          @Nullable String workspaceId) {
    NewChannel wanted() {
      return new NewChannel(
          type,
          line.wanted(),
          types,
          operators == null ? List.of() : operators,
          description,
          workspaceId);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    ChannelId id = new ChannelId(ChannelId.PREFIX + call.mintedId());
    return switch (manage.create(call.caller(), id, input.wanted())) {
      case Done(var channel) -> Reply.created(views.of(channel));
      case Refused(Refusal refusal) -> Reply.refused(refusal);
    };
  }
}
