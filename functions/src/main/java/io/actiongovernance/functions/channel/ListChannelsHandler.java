package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channels;
import io.actiongovernance.functions.contract.Operation;
import io.actiongovernance.functions.contract.PageParameters;
import io.actiongovernance.functions.contract.Tag;
import io.actiongovernance.functions.route.Call;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.functions.route.RouteHandler;

/** {@code GET /v1/channels}. */
@Operation(summary = "List channels", tag = Tag.CHANNELS, answer = ChannelView.class, list = true)
public final class ListChannelsHandler implements RouteHandler<ListChannelsHandler.Input> {
  private final Channels channels;
  private final ChannelViews views;

  ListChannelsHandler(Channels channels, ChannelViews views) {
    this.channels = channels;
    this.views = views;
  }

  record Input(PageParameters page) {}

  @Override
  public Reply handle(Call call, Input input) {
    return call.list(channels.list(call.caller(), call.page(input.page())), views::of);
  }
}
