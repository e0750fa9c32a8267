package io.actiongovernance.channel;

import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.json.Given;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request says of how a channel is told; what is null it does not say.
 *
 * @param url of an incoming webhook, secret
 * @param host of a mail server, as all that follows is of mail
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
