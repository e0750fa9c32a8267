package io.actiongovernance.channel;

import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request's description of how to reach a channel; fields that it does not state are null.
 *
 * @param url the secret URL of an incoming webhook
 * @param host the host of a mail server; this and all following fields are for mail
 */
public record WantedLine(
    @Nullable String url,
    @Nullable String host,
    @Nullable Integer port,
    @Nullable String from,
    @Nullable List<String> to,
    Given<Login> credentials) {
  public WantedLine {
    to = to == null ? null : to.stream().distinct().toList();
  }

  @Override
  public String toString() {
    return "WantedLine[…]";
  }
}
