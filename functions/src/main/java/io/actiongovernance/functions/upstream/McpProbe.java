package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorProbe;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.McpTool;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a Model Context Protocol server for its tools, within ten seconds: that is its test
 * (contract, section 5). Thread-safe.
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
            new McpSession.Bounds(within, () -> true, false))) {
      List<JsonNode> listed = session.tools();
      return listed(listed, Duration.between(began, clock.instant()));
    } catch (McpSession.Unusable e) {
      String error = McpSession.describe(e.reply(), new Redaction(credentials));
      return rejects(e.reply())
          ? new Finding.CredentialsRejected(error)
          : new Finding.UpstreamFailed(error);
    }
  }

  private static Finding listed(List<JsonNode> listed, Duration latency) {
    if (listed.size() > McpTool.MOST) {
      return new Finding.UpstreamFailed(
          "it lists " + listed.size() + " tools, more than " + McpTool.MOST);
    }
    List<McpTool> tools = listed.stream().map(McpTool::read).flatMap(Optional::stream).toList();
    return Json.write(tools).getBytes(StandardCharsets.UTF_8).length > McpTool.LONGEST_LISTING
        ? new Finding.UpstreamFailed(
            "the list of its tools is longer than " + McpTool.LONGEST_LISTING + " bytes")
        : new Finding.Passed(latency, tools);
  }

  private static boolean rejects(McpSession.Reply reply) {
    return reply instanceof McpSession.Reply.NoAnswer(Exchange.Answered answered)
        && (answered.status() == 401 || answered.status() == 403);
  }
}
