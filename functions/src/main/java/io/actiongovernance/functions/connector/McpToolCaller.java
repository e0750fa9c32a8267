package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.McpTool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.functions.connector.McpSession.Reply;
import io.actiongovernance.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/**
 * Calls tools of Model Context Protocol servers (contract, section 5). Every call asks the server
 * for its tools first: one whose listing is no longer the accepted one is not called. Thread-safe.
 */
final class McpToolCaller implements ToolCaller {
  /** The reason of a receipt for a tool that is no longer listed as it was accepted. */
  static final String TOOLS_CHANGED = "tools_changed";

  private static final String META = "io.actiongovernance/";
  private static final int INTERNAL_ERROR = -32603;

  private final OutboundClient client;
  private final AuthorizedRequests requests;
  private final Retries retries;
  private final InstantSource clock;

  McpToolCaller(
      OutboundClient client, AuthorizedRequests requests, Retries retries, InstantSource clock) {
    this.client = client;
    this.requests = requests;
    this.retries = retries;
    this.clock = clock;
  }

  @Override
  public CallResult call(ToolCall call) {
    return call.connector()
        .listed(call.tool())
        .map(
            tool ->
                retries.run(
                    call,
                    requests.attempts(
                        call, (credentials, within) -> attempt(call, tool, credentials, within))))
        .orElse(new CallResult.Refused(TOOLS_CHANGED));
  }

  private Attempt attempt(ToolCall call, McpTool tool, Credentials credentials, Duration within) {
    Redaction redaction = new Redaction(credentials);
    Map<String, String> headers = Map.of("X-Correlation-Id", call.correlationId().value());
    try (McpSession session =
        new McpSession(client, clock, call.connector(), credentials, headers, within)) {
      session.open();
      List<JsonNode> listed =
          session.tools().stream()
              .filter(one -> one.path("name").asText().equals(tool.name()))
              .toList();
      if (listed.size() != 1 || !tool.is(listed.getFirst())) {
        return new Attempt.Changed(TOOLS_CHANGED);
      }
      if (!call.permit().getAsBoolean()) {
        return new Attempt.Withdrawn();
      }
      return judge(session.call(params(call, tool), own(call)), call, redaction);
    } catch (McpSession.Unusable e) {
      return uncalled(e.reply(), redaction);
    }
  }

  private static Map<String, String> own(ToolCall call) {
    return Map.of(
        call.tool().request().idempotencyHeader(), RequestMaker.headerSafe(call.idempotencyKey()));
  }

  private static ObjectNode params(ToolCall call, McpTool tool) {
    ObjectNode params = Json.object().put("name", tool.name());
    params.set("arguments", call.args());
    params
        .putObject("_meta")
        .put(META + "idempotency-key", call.idempotencyKey())
        .put(META + "correlation-id", call.correlationId().value());
    return params;
  }

  /** What came of a request before the call: the server certainly did not act. */
  private Attempt uncalled(Reply reply, Redaction redaction) {
    String error = McpSession.describe(reply, redaction);
    if (!(reply instanceof Reply.NoAnswer(Exchange exchange))) {
      return new Attempt.Failed(error, true, false, null);
    }
    return switch (exchange) {
      case Exchange.Forbidden _ -> new Attempt.Failed(error, true, false, null);
      case Exchange.NotSent _, Exchange.Lost _ -> new Attempt.Failed(error, true, true, null);
      case Exchange.Answered answered ->
          switch (answered.status()) {
            case 401 -> new Attempt.Refused(error, true);
            case 429, 502, 503, 504 ->
                new Attempt.Failed(
                    error, true, true, answered.retryAfter(clock.instant()).orElse(null));
            default -> new Attempt.Failed(error, true, false, null);
          };
    };
  }

  private Attempt judge(Reply reply, ToolCall call, Redaction redaction) {
    boolean harmless = !call.tool().hasSideEffects();
    return switch (reply) {
      case Reply.Result(JsonNode result) when result.path("isError").asBoolean() ->
          new Attempt.Refused("the tool failed: " + redaction.excerpt(texts(result)), false);
      case Reply.Result(JsonNode result) ->
          new Attempt.Applied(new CallResult.Applied(redaction.tree(flattened(result)), null));
      case Reply.RpcError(int code, String _) when code == INTERNAL_ERROR ->
          new Attempt.Failed(McpSession.describe(reply, redaction), true, false, null);
      case Reply.RpcError _ -> new Attempt.Refused(McpSession.describe(reply, redaction), false);
      case Reply.NoAnswer(Exchange.Answered answered) when answered.hasStatusOfSuccess() ->
          new Attempt.Failed(
              McpSession.describe(reply, redaction), harmless, call.tool().retrySafe(), null);
      case Reply.NoAnswer(Exchange exchange) ->
          Attempt.of(exchange, call, redaction, clock.instant());
    };
  }

  private static String texts(JsonNode result) {
    StringBuilder texts = new StringBuilder();
    result.path("content").forEach(one -> texts.append(one.path("text").asText()).append(' '));
    return texts.toString();
  }

  /**
   * The result, and beside it the members of what it says in JSON, so that an inverse can name them
   * directly.
   */
  private static JsonNode flattened(JsonNode result) {
    JsonNode said = result.path("structuredContent");
    JsonNode content = result.path("content");
    if (!said.isObject() && content.size() == 1) {
      said = json(content.path(0).path("text").asText());
    }
    if (!(result instanceof ObjectNode whole) || !(said instanceof ObjectNode members)) {
      return result;
    }
    return members.deepCopy().setAll(whole);
  }

  private static JsonNode json(String text) {
    try {
      return Json.parse(text.getBytes(StandardCharsets.UTF_8));
    } catch (Json.InvalidJson | Json.NumberOutOfRange e) {
      return NullNode.getInstance(); // a text for people
    }
  }
}
