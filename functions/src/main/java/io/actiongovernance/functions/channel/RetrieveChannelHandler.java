package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channels;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;
import io.actiongovernance.id.ChannelId;

/** {@code GET /v1/channels/{channel_id}}. */
@Operation(summary = "Retrieve a channel", tag = Tag.CHANNELS, answer = ChannelView.class)
public final class RetrieveChannelHandler implements RouteHandler<RetrieveChannelHandler.Input> {
  private final Channels channels;
  private final ChannelViews views;

  RetrieveChannelHandler(Channels channels, ChannelViews views) {
    this.channels = channels;
    this.views = views;
  }

  record Input(ChannelId channelId) {}

  @Override
  public Reply handle(Call call, Input input) {
    return Reply.of(channels.find(call.caller(), input.channelId()), views::of);
  }
}
