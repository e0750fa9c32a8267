package io.actiongovernance.functions.egress;

import io.actiongovernance.webhook.WebhookSender;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Posts webhooks with the HTTP client of connectors, behind the same egress guard. Thread-safe. */
public final class HttpWebhookSender implements WebhookSender {
  private final OutboundClient client;
  private final InstantSource clock;

  public HttpWebhookSender(OutboundClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  @Override
  public Reply post(URI url, Map<String, String> headers, String body, Duration within) {
    return switch (client.exchange(new Outbound("POST", url, headers, body), within)) {
      case Exchange.Answered answered ->
          new Reply.Answered(answered.status(), answered.retryAfter(clock.instant()).orElse(null));
      case Exchange.Forbidden(String why) -> new Reply.Failed(why);
      case Exchange.NotSent(String why) -> new Reply.Failed(why);
      case Exchange.Withheld(String why) -> new Reply.Failed(why);
      case Exchange.Lost(String why, _) -> new Reply.Failed(why);
    };
  }
}
