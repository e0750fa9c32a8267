package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.McpOffer;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Tests a Model Context Protocol server by requesting its tools, within ten seconds (contract,
 * section 5). Thread-safe.
 */
final class McpProbe implements ConnectorProbe {
  private final OutboundClient client;
  private final AuthorizedRequests requests;
  private final InstantSource clock;

  McpProbe(OutboundClient client, AuthorizedRequests requests, InstantSource clock) {
    this.client = client;
    this.requests = requests;
    this.clock = clock;
  }

  @Override
  public Finding probe(Connector connector) {
    return requests.probe(connector, (credentials, within) -> ask(connector, credentials, within));
  }

  private Finding ask(Connector connector, Credentials credentials, Duration within) {
    Instant began = clock.instant();
    try (McpSession session =
        new McpSession(
            client,
            clock,
            connector,
            credentials,
            Map.of(),
            new McpSession.Bounds(within, () -> true))) {
      List<JsonNode> listed = session.tools();
      return listed(connector, listed, Duration.between(began, clock.instant()));
    } catch (McpSession.Unusable e) {
      String error = McpSession.describe(e.reply(), new Redaction(credentials));
      return rejects(e.reply())
          ? new Finding.CredentialsRejected(error)
          : new Finding.UpstreamFailed(error);
    }
  }

  private static Finding listed(Connector connector, List<JsonNode> listed, Duration latency) {
    try {
      return new Finding.Passed(latency, McpOffer.of(connector, listed));
    } catch (McpOffer.TooMuch e) {
      return new Finding.UpstreamFailed(String.valueOf(e.getMessage()));
    }
  }

  private static boolean rejects(McpSession.Reply reply) {
    return reply instanceof McpSession.Reply.NoAnswer(Exchange.Answered answered)
        && (answered.status() == 401 || answered.status() == 403);
  }
}
