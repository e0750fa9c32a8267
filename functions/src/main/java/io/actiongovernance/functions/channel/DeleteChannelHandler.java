package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.ManageChannels;
import io.actiongovernance.functions.contract.Doc;
import io.actiongovernance.functions.contract.Field;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ChannelId;

/** {@code DELETE /v1/channels/{channel_id}}. */
@Operation(
    summary = "Delete a channel",
    description =
        "The channel sends nothing more. Failed notifications that were due to be"
            + " retried are dropped too.",
    tag = Tag.CHANNELS,
    answer = DeleteChannelHandler.DeletedChannel.class)
public final class DeleteChannelHandler implements RouteHandler<DeleteChannelHandler.Input> {
  private final ManageChannels manage;

  DeleteChannelHandler(ManageChannels manage) {
    this.manage = manage;
  }

  record Input(ChannelId channelId) {}

  @Doc("The deleted channel.")
  record DeletedChannel(
      ChannelId id,
      @Field(doc = "Always `channel`.", constant = "channel") String object,
      @Field(doc = "Always true.", constant = "true") boolean deleted) {
    static DeletedChannel of(ChannelId id) {
      return new DeletedChannel(id, "channel", true);
    }
  }

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(
        manage.delete(call.caller(), input.channelId(), call.mintedId()), DeletedChannel::of);
  }
}
