package io.actiongovernance.localstack.listen;

import io.actiongovernance.webhook.SignedDelivery;
import io.actiongovernance.webhook.SigningSecret;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * Posts deliveries to a program on this machine, one after the other. If nothing answers, a
 * delivery waits until something does. If the answer is not 2xx, the delivery is tried again a few
 * times, as the service does over hours, and then given up.
 */
final class Forwarder {
  private static final int GONE = 410;
  private static final Duration EXCHANGE = Duration.ofSeconds(10);
  private static final Duration NOBODY = Duration.ofSeconds(1);

  private static final List<Duration> PAUSES =
      List.of(
          Duration.ZERO,
          Duration.ofMillis(500),
          Duration.ofSeconds(1),
          Duration.ofSeconds(2),
          Duration.ofSeconds(4),
          Duration.ofSeconds(8));

  private final HttpClient client =
      HttpClient.newBuilder()
          .connectTimeout(EXCHANGE)
          .followRedirects(HttpClient.Redirect.NEVER)
          // As the service does, because a small server may not support an upgrade.
          .version(HttpClient.Version.HTTP_1_1)
          .build();
  private final URI target;
  private final SigningSecret secret;
  private final Listener.Reports reports;
  private final InstantSource clock;

  Forwarder(URI target, SigningSecret secret, Listener.Reports reports, InstantSource clock) {
    this.target = target;
    this.secret = secret;
    this.reports = reports;
    this.clock = clock;
  }

  void deliver(SignedDelivery.Message told, String objectId) throws InterruptedException {
    for (int attempt = 1; attempt <= PAUSES.size(); attempt++) {
      Thread.sleep(PAUSES.get(attempt - 1));
      int status = post(told, attempt);
      boolean ok = status / 100 == 2;
      boolean last = ok || status == GONE || attempt == PAUSES.size();
      reports.attempted(new Listener.Attempt(told, objectId, attempt, status, ok, last));
      if (last) {
        return;
      }
    }
  }

  /** Returns the status of the answer; 0 if the exchange failed after it began. */
  private int post(SignedDelivery.Message told, int attempt) throws InterruptedException {
    boolean said = false;
    while (true) {
      SignedDelivery signed = SignedDelivery.of(told, attempt, secret, clock.instant());
      HttpRequest.Builder request =
          HttpRequest.newBuilder(target)
              .timeout(EXCHANGE)
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString(signed.body()));
      signed.headers().forEach(request::header);
      try {
        return client.send(request.build(), BodyHandlers.discarding()).statusCode();
      } catch (ConnectException | HttpConnectTimeoutException e) {
        if (!said) {
          reports.say("Nothing answers at " + target + "; deliveries wait …");
          said = true;
        }
        Thread.sleep(NOBODY);
      } catch (IOException e) {
        return 0;
      }
    }
  }
}
