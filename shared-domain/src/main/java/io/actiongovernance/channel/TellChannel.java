package io.actiongovernance.channel;

import io.actiongovernance.webhook.WebhookSender;

/** Sends a notification to a channel, once. Thread-safe. */
public final class TellChannel {
  private final ChannelSecrets secrets;
  private final ChannelSender sender;

  public TellChannel(ChannelSecrets secrets, ChannelSender sender) {
    this.secrets = secrets;
    this.sender = sender;
  }

  /**
   * Sends the notification.
   *
   * @param id identical whenever the same notification is sent again
   */
  WebhookSender.Reply tell(Channel channel, Notification notification, String id) {
    return switch (secrets.open(channel)) {
      case ChannelSecret.Hook(var url) -> sender.post(url, notification);
      case ChannelSecret.Login login -> sender.mail(channel.line(), login, notification, id);
      case ChannelSecret.None none -> sender.mail(channel.line(), none.login(), notification, id);
    };
  }
}
