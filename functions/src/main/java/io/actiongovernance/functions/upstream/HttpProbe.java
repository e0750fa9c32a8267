package io.actiongovernance.functions.upstream;

import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.Listing;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Makes a connector's test request over HTTP: once, within ten seconds. Thread-safe. */
public final class HttpProbe implements ConnectorProbe {
  private final OutboundClient client;
  private final AuthorizedRequests requests;
  private final InstantSource clock;

  HttpProbe(OutboundClient client, AuthorizedRequests requests, InstantSource clock) {
    this.client = client;
    this.requests = requests;
    this.clock = clock;
  }

  @Override
  public Finding probe(Connector connector) {
    Listing.TestRequest test = connector.test();
    return test == null
        ? new Finding.Passed(Duration.ZERO)
        : requests.probe(
            connector, (credentials, within) -> ask(connector, test, credentials, within));
  }

  private Finding ask(
      Connector connector, Listing.TestRequest test, Credentials credentials, Duration within) {
    Instant began = clock.instant();
    Outbound request;
    try {
      request = RequestMaker.of(connector, test, credentials);
    } catch (RequestMaker.Unmakeable e) {
      return new Finding.UpstreamFailed("the test request cannot be made: " + e.getMessage());
    }
    Exchange exchange = client.exchange(request, within);
    Duration latency = Duration.between(began, clock.instant());
    return switch (exchange) {
      case Exchange.Forbidden(String why) -> new Finding.UpstreamFailed(why);
      case Exchange.NotSent(String why) ->
          new Finding.UpstreamFailed("upstream unreachable: " + why);
      case Exchange.Withheld(String why) -> new Finding.UpstreamFailed(why);
      case Exchange.Lost(String why, _) ->
          new Finding.UpstreamFailed("upstream reply lost: " + why);
      case Exchange.Answered answered -> {
        Redaction redaction = new Redaction(credentials);
        yield judge(new Answer(answered, connector.listing().success()), redaction, latency);
      }
    };
  }

  private static Finding judge(Answer answer, Redaction redaction, Duration latency) {
    int status = answer.status();
    if (status == 401 || status == 403 || answer.namesRejectedCredentials()) {
      return new Finding.CredentialsRejected(answer.describe(redaction));
    }
    return status >= 500
        ? new Finding.UpstreamFailed(answer.describe(redaction))
        : new Finding.Passed(latency);
  }
}
