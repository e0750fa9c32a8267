package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A session with a Model Context Protocol server over streamable HTTP, revisions 2025-03-26 to
 * 2025-11-25: opened, used once and closed, within one deadline. Every request goes through the
 * guarded client. The server is promised nothing that it could ask for in turn. Not thread-safe.
 */
final class McpSession implements AutoCloseable {
  private static final String NEWEST = "2025-11-25";
  private static final Set<String> SPOKEN = Set.of("2025-03-26", "2025-06-18", NEWEST);
  private static final String SESSION = "Mcp-Session-Id";
  private static final int MOST_PAGES = 20;
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

  private final OutboundClient client;
  private final InstantSource clock;
  private final URI url;
  private final Map<String, String> headers;
  private final Instant until;
  private int requests;

  /**
   * @param headers sent with every request besides the connector's own
   * @param within all of it
   */
  McpSession(
      OutboundClient client,
      InstantSource clock,
      Connector connector,
      Credentials credentials,
      Map<String, String> headers,
      Duration within) {
    this.client = client;
    this.clock = clock;
    this.url = connector.baseUrl();
    this.headers = RequestMaker.headers(connector, credentials);
    this.headers.putAll(headers);
    this.headers.put("Accept", "application/json, text/event-stream");
    this.until = clock.instant().plus(within);
  }

  /** What became of a request. */
  sealed interface Reply {
    /** The server answered it. */
    record Result(JsonNode result) implements Reply {}

    /** The server answered with an error of the protocol. */
    record RpcError(int code, String message) implements Reply {}

    /** There is no answer of the protocol in what came back, if anything did. */
    record NoAnswer(Exchange exchange) implements Reply {}
  }

  /** A request before the call that came to no result: nothing has been called. */
  static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Reply reply;

    Unusable(Reply reply) {
      super("The server cannot be used.");
      this.reply = reply;
    }

    Reply reply() {
      return reply;
    }
  }

  /** Opens it. */
  void open() throws Unusable {
    ObjectNode params = Json.object().put("protocolVersion", NEWEST);
    params.putObject("capabilities");
    params.putObject("clientInfo").put("name", "action-governance").put("version", "1");
    JsonNode result = result(request("initialize", params, Map.of()));
    String version = result.path("protocolVersion").asText();
    if (!SPOKEN.contains(version)) {
      throw new Unusable(new Reply.RpcError(0, "it speaks no revision of the protocol that we do"));
    }
    headers.put("MCP-Protocol-Version", version);
    ObjectNode opened = message("notifications/initialized");
    Exchange exchange = send(opened, Map.of(), (bytes, count) -> false);
    if (!(exchange instanceof Exchange.Answered answered) || !answered.hasStatusOfSuccess()) {
      throw new Unusable(new Reply.NoAnswer(exchange));
    }
  }

  /** All tools it lists, as it lists them. */
  List<JsonNode> tools() throws Unusable {
    List<JsonNode> tools = new ArrayList<>();
    String cursor = null;
    for (int pages = 0; pages < MOST_PAGES; pages++) {
      ObjectNode params = Json.object();
      if (cursor != null) {
        params.put("cursor", cursor);
      }
      JsonNode result = result(request("tools/list", params, Map.of()));
      result.path("tools").forEach(tools::add);
      cursor = result.path("nextCursor").textValue();
      if (cursor == null) {
        return tools;
      }
    }
    throw new Unusable(new Reply.RpcError(0, "its tools/list does not end"));
  }

  /**
   * Calls a tool.
   *
   * @param own headers of this request alone
   */
  Reply call(ObjectNode params, Map<String, String> own) {
    return request("tools/call", params, own);
  }

  /** Ends the session. What the server says to that changes nothing: sessions end by themselves. */
  @Override
  public void close() {
    Duration left = left().compareTo(LONGEST_CLOSE) < 0 ? left() : LONGEST_CLOSE;
    if (headers.containsKey(SESSION) && left.isPositive()) {
      client.exchange(new Outbound("DELETE", url, headers, null), left);
    }
  }

  private static JsonNode result(Reply reply) throws Unusable {
    if (reply instanceof Reply.Result(JsonNode result)) {
      return result;
    }
    throw new Unusable(reply);
  }

  private Reply request(String method, ObjectNode params, Map<String, String> own) {
    int id = ++requests;
    ObjectNode message = message(method).put("id", id);
    message.set("params", params);
    McpAnswer answer = new McpAnswer(id);
    Exchange exchange = send(message, own, answer);
    if (!(exchange instanceof Exchange.Answered answered) || !answered.hasStatusOfSuccess()) {
      return new Reply.NoAnswer(exchange);
    }
    String session = answered.header(SESSION);
    if (session != null) {
      headers.put(SESSION, session);
    }
    return answer.in(answered.body()).map(McpSession::read).orElse(new Reply.NoAnswer(exchange));
  }

  private static Reply read(JsonNode answer) {
    JsonNode error = answer.path("error");
    return error.isObject()
        ? new Reply.RpcError(error.path("code").intValue(), error.path("message").asText())
        : new Reply.Result(answer.path("result"));
  }

  private static ObjectNode message(String method) {
    return Json.object().put("jsonrpc", "2.0").put("method", method);
  }

  private Exchange send(ObjectNode message, Map<String, String> own, OutboundClient.Enough enough) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(own);
    return client.exchange(new Outbound("POST", url, all, Json.write(message)), left(), enough);
  }

  private Duration left() {
    return Duration.between(clock.instant(), until);
  }

  /** What a reply that is no result says, in one sentence. */
  static String describe(Reply reply, Redaction redaction) {
    return switch (reply) {
      case Reply.Result _ -> "upstream answered";
      case Reply.RpcError(int code, String message) ->
          "upstream answered with error " + code + ": " + redaction.excerpt(message);
      case Reply.NoAnswer(Exchange exchange) ->
          switch (exchange) {
            case Exchange.Forbidden(String why) -> why;
            case Exchange.NotSent(String why) -> "upstream unreachable: " + why;
            case Exchange.Lost(String why) -> "upstream reply lost: " + why;
            case Exchange.Answered answered ->
                new Answer(answered, null).describe(redaction)
                    + (answered.hasStatusOfSuccess()
                        ? " (no answer of the Model Context Protocol)"
                        : "");
          };
    };
  }
}
