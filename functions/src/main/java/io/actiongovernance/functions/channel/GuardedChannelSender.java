package io.actiongovernance.functions.channel;

import io.actiongovernance.channel.Channel;
import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.channel.ChannelSender;
import io.actiongovernance.channel.Notification;
import io.actiongovernance.functions.egress.GuardedSockets;
import io.actiongovernance.webhook.WebhookSender;
import io.actiongovernance.webhook.WebhookTimes;
import java.net.URI;
import java.time.InstantSource;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sends notifications with the HTTP client of connectors, behind the same egress guard.
 * Thread-safe.
 */
final class GuardedChannelSender implements ChannelSender {
  private final WebhookSender posts;
  private final GuardedSockets sockets;
  private final InstantSource clock;

  GuardedChannelSender(WebhookSender posts, GuardedSockets sockets, InstantSource clock) {
    this.posts = posts;
    this.sockets = sockets;
    this.clock = clock;
  }

  @Override
  public WebhookSender.Reply post(URI url, Notification notification) {
    return posts.post(url, Map.of(), SlackMessage.of(notification), WebhookTimes.EXCHANGE);
  }

  @Override
  public WebhookSender.Reply mail(
      Channel.Line line, @Nullable Login login, Notification notification, String id) {
    return SmtpExchange.of(sockets, line, login, WebhookTimes.MAIL)
        .send(MailMessage.of(notification, id), clock.instant());
  }
}
