package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.McpHeaders;
import io.actiongovernance.connector.Permit;
import io.actiongovernance.functions.egress.Authentication;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Outbound;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
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
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Requests to a Model Context Protocol server over streamable HTTP, for one call and within one
 * deadline. The newest revision, 2026-07-28, is tried first; its requests are independent. If the
 * server does not support it, a session is opened in one of the revisions 2025-03-26 to 2025-11-25,
 * used once and closed.
 *
 * <p>Every request uses the guarded client. This client offers the server no capabilities. Not
 * thread-safe.
 */
final class McpSession implements AutoCloseable {
  static final String CALL = "tools/call";

  private static final String NEWEST = "2026-07-28";

  /** The newest revision that begins with a session. */
  private static final String NEWEST_OF_SESSIONS = "2025-11-25";

  private static final Set<String> OF_SESSIONS =
      Set.of("2025-03-26", "2025-06-18", NEWEST_OF_SESSIONS);

  private static final String META = "io.modelcontextprotocol/";
  private static final String REVISION = "MCP-Protocol-Version";
  private static final String SESSION = "Mcp-Session-Id";
  private static final int UNSUPPORTED_REVISION = -32022;

  /** The code of errors that this client states about a server. The protocol has no such error. */
  private static final int OURS = 0;

  /** Errors that only a server of the newest revision returns. */
  private static final Set<Integer> NEW_ERRORS = Set.of(-32020, -32021, UNSUPPORTED_REVISION);

  private static final int MOST_PAGES = 20;

  /** The most bytes read of a call's answer. The part about the effect may be at the end. */
  static final int LONGEST_ANSWER = 1 << 24;

  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

  /**
   * Statuses that reveal nothing about the protocol: those for credentials, rates and
   * intermediaries.
   */
  private static final Set<Integer> OF_TRANSPORT = Set.of(401, 403, 429, 502, 503, 504);

  private final OutboundClient client;
  private final InstantSource clock;
  private final URI url;
  private final Map<String, String> headers;
  private final Instant until;
  private final Permit permit;
  private String revision = NEWEST;
  private int requests;

  /**
   * The limits of a session.
   *
   * @param within the time for the whole session
   * @param permit whether a request may leave, which is asked for each request; requests before the
   *     tool's call do not begin the call
   */
  record Bounds(Duration within, Permit permit) {}

  /**
   * @param headers further headers of every request, besides the connector's own
   */
  McpSession(
      OutboundClient client,
      InstantSource clock,
      Connector connector,
      Credentials credentials,
      Map<String, String> headers,
      Bounds bounds) {
    this.client = client;
    this.clock = clock;
    this.url = Authentication.url(connector.baseUrl(), credentials);
    this.headers = RequestMaker.headers(connector, credentials);
    this.headers.putAll(headers);
    this.headers.put("Accept", "application/json, text/event-stream");
    this.until = clock.instant().plus(bounds.within());
    this.permit = bounds.permit();
  }

  /** The outcome of a request. */
  sealed interface Reply {
    record Result(JsonNode result) implements Reply {}

    /** The server answered with an error of the protocol. */
    record RpcError(int code, String message, JsonNode data) implements Reply {
      RpcError(int code, String message) {
        this(code, message, MissingNode.getInstance());
      }

      /**
       * Returns whether the error means that the request was not understood or not accepted. Any
       * other error may have occurred halfway.
       */
      boolean didNotAct() {
        return code == -32700 || (code <= -32600 && code >= -32602) || NEW_ERRORS.contains(code);
      }
    }

    /** No answer of the protocol arrived. */
    record NoAnswer(Exchange exchange) implements Reply {}
  }

  /** A request before the call had no result, so nothing has been called. */
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

  /** Opens a session, in the newest revision that both sides support. */
  private void open() throws Unusable {
    revision = NEWEST_OF_SESSIONS;
    ObjectNode params = Json.object().put("protocolVersion", revision);
    params.putObject("capabilities");
    params.set("clientInfo", clientInfo());
    JsonNode result = result(request("initialize", params, Map.of()));
    revision = result.path("protocolVersion").asText();
    if (!OF_SESSIONS.contains(revision)) {
      throw new Unusable(
          new Reply.RpcError(
              OURS, "it supports no revision of the protocol that this service supports"));
    }
    headers.put(REVISION, revision);
    ObjectNode opened = message("notifications/initialized");
    Exchange exchange = send(opened, Map.of(), permit::stands, (bytes, count) -> false);
    if (!(exchange instanceof Exchange.Answered answered) || !answered.hasStatusOfSuccess()) {
      throw new Unusable(new Reply.NoAnswer(exchange));
    }
  }

  /**
   * Returns all tools that the server lists, in the server's order. This is the first request: its
   * answer shows which revision the server supports.
   */
  List<JsonNode> tools() throws Unusable {
    Reply first = list(null);
    if (speaksOfSessions(first)) {
      open();
      first = list(null);
    }
    List<JsonNode> tools = new ArrayList<>();
    JsonNode page = result(first);
    for (int pages = 1; pages <= MOST_PAGES; pages++) {
      page.path("tools").forEach(tools::add);
      String cursor = page.path("nextCursor").textValue();
      if (cursor == null) {
        return tools;
      }
      Reply next = list(cursor);
      if (cursor.isEmpty() && isOfSessions() && bringsNothingNew(next, tools)) {
        return tools;
      }
      page = result(next);
    }
    throw new Unusable(new Reply.RpcError(OURS, "its tools/list does not end"));
  }

  /**
   * Returns whether a server with sessions had already ended its list with an empty cursor, as some
   * do. Given that cursor, such a server starts again or reports an unknown cursor.
   */
  private static boolean bringsNothingNew(Reply next, List<JsonNode> tools) {
    return switch (next) {
      case Reply.Result(JsonNode page) ->
          page.path("tools").valueStream().allMatch(Set.copyOf(tools)::contains);
      case Reply.RpcError error -> error.didNotAct();
      case Reply.NoAnswer _ -> false;
    };
  }

  private Reply list(@Nullable String cursor) {
    ObjectNode params = Json.object();
    if (cursor != null) {
      params.put("cursor", cursor);
    }
    return request("tools/list", params, Map.of());
  }

  /**
   * Returns whether the reply to a request of the newest revision shows that the server supports
   * only older ones. Either the reply says so, or no server of the newest revision would send it.
   */
  private static boolean speaksOfSessions(Reply reply) {
    return switch (reply) {
      case Reply.Result(JsonNode result) -> !result.has("resultType");
      case Reply.RpcError error when error.code() == UNSUPPORTED_REVISION -> {
        boolean spoken = false;
        for (JsonNode supported : error.data().path("supported")) {
          spoken |= OF_SESSIONS.contains(supported.asText());
        }
        yield spoken;
      }
      case Reply.RpcError error -> !NEW_ERRORS.contains(error.code());
      case Reply.NoAnswer(Exchange.Answered answered) -> !OF_TRANSPORT.contains(answered.status());
      case Reply.NoAnswer _ -> false;
    };
  }

  private boolean isOfSessions() {
    return !revision.equals(NEWEST);
  }

  /**
   * Calls a tool.
   *
   * @param own headers of only this request
   * @param mirrored headers that repeat arguments, for a server that supports them
   */
  Reply call(ObjectNode params, Map<String, String> own, Map<String, String> mirrored) {
    Map<String, String> all = new HashMap<>(own);
    if (!isOfSessions()) {
      all.put("Mcp-Name", McpHeaders.encoded(params.path("name").asText()));
      all.putAll(mirrored);
    }
    return request(CALL, params, all);
  }

  /** Ends the session. The server's answer does not matter, because sessions expire anyway. */
  @Override
  public void close() {
    Duration left = left().compareTo(LONGEST_CLOSE) < 0 ? left() : LONGEST_CLOSE;
    if (headers.containsKey(SESSION) && left.isPositive()) {
      client.exchange(new Outbound("DELETE", url, headers, null), left, permit::stands);
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
    Map<String, String> all = new HashMap<>(own);
    if (!isOfSessions()) {
      ObjectNode meta = params.withObjectProperty("_meta");
      meta.put(META + "protocolVersion", revision).set(META + "clientInfo", clientInfo());
      meta.putObject(META + "clientCapabilities");
      all.put(REVISION, revision);
      all.put("Mcp-Method", method);
    }
    ObjectNode message = message(method).put("id", id);
    message.set("params", params);
    boolean calls = method.equals(CALL);
    McpAnswer answer = new McpAnswer(id, calls ? LONGEST_ANSWER : OutboundClient.LONGEST_BODY);
    Exchange exchange = send(message, all, calls ? permit::begins : permit::stands, answer);
    if (!(exchange instanceof Exchange.Answered answered)) {
      return new Reply.NoAnswer(exchange);
    }
    if (!answered.hasStatusOfSuccess()) {
      return answer
          .errorIn(answered.body())
          .map(McpSession::read)
          .filter(reply -> reply instanceof Reply.RpcError error && error.didNotAct())
          .filter(reply -> !OF_TRANSPORT.contains(answered.status()))
          .orElse(new Reply.NoAnswer(exchange));
    }
    String session = answered.header(SESSION);
    if (session != null && isOfSessions()) {
      headers.put(SESSION, session);
    }
    return answer.in(answered.body()).map(McpSession::read).orElse(new Reply.NoAnswer(exchange));
  }

  private static ObjectNode clientInfo() {
    return Json.object().put("name", "action-governance").put("version", "1");
  }

  private static Reply read(JsonNode answer) {
    JsonNode error = answer.path("error");
    return error.isObject()
        ? new Reply.RpcError(
            error.path("code").intValue(), error.path("message").asText(), error.path("data"))
        : new Reply.Result(answer.path("result"));
  }

  private static ObjectNode message(String method) {
    return Json.object().put("jsonrpc", "2.0").put("method", method);
  }

  private Exchange send(
      ObjectNode message,
      Map<String, String> own,
      BooleanSupplier leaves,
      OutboundClient.Enough enough) {
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(own);
    Outbound request = new Outbound("POST", url, all, Json.write(message));
    return client.exchange(request, left(), leaves, enough);
  }

  private Duration left() {
    return Duration.between(clock.instant(), until);
  }

  /** Describes a reply without a result, in one sentence. */
  static String describe(Reply reply, Redaction redaction) {
    return switch (reply) {
      case Reply.Result _ -> "upstream answered";
      case Reply.RpcError(int code, String message, _) when code == OURS ->
          "upstream cannot be used: " + redaction.excerpt(message);
      case Reply.RpcError(int code, String message, _) ->
          "upstream answered with error " + code + ": " + redaction.excerpt(message);
      case Reply.NoAnswer(Exchange exchange) ->
          switch (exchange) {
            case Exchange.Forbidden(String why) -> why;
            case Exchange.NotSent(String why) -> "upstream unreachable: " + why;
            case Exchange.Withheld(String why) -> why;
            case Exchange.Lost(String why, _) -> "upstream reply lost: " + why;
            case Exchange.Answered answered ->
                new Answer(answered, null).describe(redaction)
                    + (answered.hasStatusOfSuccess()
                        ? " (not an answer of the Model Context Protocol)"
                        : "");
          };
    };
  }
}
