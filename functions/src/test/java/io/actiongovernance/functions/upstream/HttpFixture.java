package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.connector.AccessTokens;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ConnectorFixture;
import io.actiongovernance.connector.Pacer;
import io.actiongovernance.connector.Permit;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.functions.egress.EgressGuard;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.TrustedRoots;
import io.actiongovernance.id.CorrelationId;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The engine over real connections to a source system on the loopback; its time passes only in
 * pauses.
 */
final class HttpFixture implements AutoCloseable {
  final ConnectorFixture it = new ConnectorFixture();
  final Upstream upstream = new Upstream();
  final List<Duration> pauses = new ArrayList<>();
  final OutboundClient client;
  final HttpTokenEndpoint tokenEndpoint;
  final Retries retries;
  final HttpToolCaller caller;
  final HttpProbe probe;
  final McpToolCaller mcp;
  final McpProbe mcpProbe;

  HttpFixture(String... allowed) {
    client = new OutboundClient(new EgressGuard(List.of(allowed)), TrustedRoots.tls(null));
    retries =
        new Retries(
            new Pacer(it.store, it.time),
            it.health,
            it.time,
            pause -> {
              pauses.add(pause);
              it.time.sleep(pause);
            },
            new Random(1));
    tokenEndpoint = new HttpTokenEndpoint(client, it.time);
    AuthorizedRequests requests =
        new AuthorizedRequests(
            new AccessTokens(it.store, it.connectors, it.sealer, tokenEndpoint, it.time, it.time),
            it.time);
    caller = new HttpToolCaller(client, requests, retries, it.time);
    probe = new HttpProbe(client, requests, it.time);
    mcp = new McpToolCaller(client, requests, retries, it.time);
    mcpProbe = new McpProbe(client, requests, it.time);
  }

  HttpFixture() {
    this("127.0.0.1/32");
  }

  Connector install(String tool, String more) {
    return it.installed(ConnectorFixture.http("acme", upstream.url(), tool, more));
  }

  /**
   * The same with more of a config.
   *
   * @param config in the place of {@code 'tools':}, which is its end; {@code %1$s} is the upstream
   */
  Connector install(String tool, String more, String config) {
    return it.installed(
        ConnectorFixture.http("acme", upstream.url(), tool, more)
            .replace("'acme'", "'acme-" + it.probes + "'")
            .replaceFirst("'tools':", config.formatted(upstream.url())));
  }

  CallResult call(Connector connector, String args) {
    return call(connector, args, it.time.instant().plus(Duration.ofSeconds(25)));
  }

  CallResult call(Connector connector, Permit permit) {
    return call(connector, "{}", it.time.instant().plus(Duration.ofSeconds(25)), permit);
  }

  CallResult call(Connector connector, String args, Instant deadline) {
    return call(connector, args, deadline, () -> true);
  }

  /** A call whose answer is wanted as it came. */
  CallResult callForAnswer(Connector connector) {
    return caller.call(
        new ToolCall(
            connector,
            connector.tools().getFirst(),
            Json.object(),
            "key-1",
            null,
            CorrelationId.next(it.ids),
            it.time.instant().plus(Duration.ofSeconds(25)),
            () -> true,
            true,
            null));
  }

  CallResult call(Connector connector, String args, Instant deadline, Permit permit) {
    JsonNode json = ConnectorFixture.json(args);
    return caller.call(
        new ToolCall(
            connector,
            connector.tools().getFirst(),
            json,
            "key-1",
            null,
            CorrelationId.next(it.ids),
            deadline,
            permit,
            false,
            null));
  }

  @Override
  public void close() {
    upstream.close();
    client.close();
  }
}
