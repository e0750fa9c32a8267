package io.actiongovernance.channel;

import io.actiongovernance.channel.ChannelSecret.Login;
import io.actiongovernance.webhook.WebhookSender;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** Sends notifications to channels, behind the egress guard, each in its channel's own markup. */
public interface ChannelSender {
  /** Posts to an incoming webhook, once. */
  WebhookSender.Reply post(URI url, Notification notification);

  /**
   * Sends a mail, once. The reply's status is the mail server's.
   *
   * @param login credentials for the server; null if it asks for none
   * @param id identical whenever the same mail is sent again
   */
  WebhookSender.Reply mail(
      Channel.Line line, @Nullable Login login, Notification notification, String id);
}
