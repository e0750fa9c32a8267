package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.connector.ArgumentNames;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Credentials;
import io.actiongovernance.connector.McpHeaders;
import io.actiongovernance.connector.McpTool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.connector.ToolCaller;
import io.actiongovernance.connector.WholeAnswer;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.OutboundClient;
import io.actiongovernance.functions.egress.Redaction;
import io.actiongovernance.functions.upstream.Attempt.Effect;
import io.actiongovernance.functions.upstream.McpSession.Reply;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls tools of Model Context Protocol servers (contract, section 5). Every call first requests
 * the server's tools: a tool whose listing differs from the accepted one is not called.
 * Thread-safe.
 */
final class McpToolCaller implements ToolCaller {
  /** Receipt reason for a tool whose listing differs from the accepted one. */
  static final String TOOLS_CHANGED = "tools_changed";

  private static final String META = "io.actiongovernance/";

  /** The type of a result that does not state its type. */
  private static final String COMPLETE = "complete";

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
    if (ArgumentNames.flaw(call.tool(), call.args()).isPresent()) {
      return new CallResult.Refused(ArgumentNames.AMBIGUOUS);
    }
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
    Map<String, String> headers = new HashMap<>(RequestMaker.trace(call));
    headers.put("X-Correlation-Id", call.correlationId().value());
    try (McpSession session =
        new McpSession(
            client,
            clock,
            call.connector(),
            credentials,
            headers,
            new McpSession.Bounds(within, call.permit()))) {
      List<JsonNode> listed =
          session.tools().stream()
              .filter(one -> one.path("name").asText().equals(tool.name()))
              .toList();
      if (listed.size() != 1 || !tool.is(listed.getFirst())) {
        return new Attempt.Changed(TOOLS_CHANGED);
      }
      Reply reply =
          session.call(
              params(call, tool), own(call), McpHeaders.of(tool.inputSchema(), call.args()));
      return judge(reply, call, redaction);
    } catch (McpSession.Unusable e) {
      return uncalled(e.reply(), redaction);
    }
  }

  private static Map<String, String> own(ToolCall call) {
    return Map.of(
        call.tool().request().idempotencyHeader(), RequestMaker.headerSafe(call.sourceKey()));
  }

  private static ObjectNode params(ToolCall call, McpTool tool) {
    ObjectNode params = called(tool, call.args());
    ObjectNode meta =
        params
            .putObject("_meta")
            .put(META + "idempotency-key", call.sourceKey())
            .put(META + "correlation-id", call.correlationId().value());
    // The protocol's own convention, whose keys have no prefix.
    RequestMaker.trace(call).forEach(meta::put);
    return params;
  }

  /** The name and arguments of a call. */
  static ObjectNode called(McpTool tool, JsonNode args) {
    return Json.object().put("name", tool.name()).set("arguments", args);
  }

  /**
   * The outcome if a request before the call gave no result. The source system certainly did not
   * act.
   */
  private Attempt uncalled(Reply reply, Redaction redaction) {
    String error = McpSession.describe(reply, redaction);
    if (!(reply instanceof Reply.NoAnswer(Exchange exchange))) {
      return Attempt.Failed.certainly(error, false, null);
    }
    return switch (exchange) {
      case Exchange.Withheld _ -> new Attempt.Withheld(Duration.ZERO);
      case Exchange.Forbidden _ -> Attempt.Failed.certainly(error, false, null);
      case Exchange.NotSent _, Exchange.Lost _ -> Attempt.Failed.certainly(error, true, null);
      case Exchange.Answered answered ->
          switch (answered.status()) {
            case 401 -> new Attempt.Refused(error, true);
            case 429, 502, 503, 504 ->
                Attempt.Failed.certainly(
                    error, true, answered.retryAfter(clock.instant()).orElse(null));
            default -> Attempt.Failed.certainly(error, false, null);
          };
    };
  }

  private Attempt judge(Reply reply, ToolCall call, Redaction redaction) {
    return switch (reply) {
      case Reply.Result(JsonNode result) -> judge(result, call, redaction);
      case Reply.RpcError error when error.didNotAct() ->
          new Attempt.Refused(McpSession.describe(reply, redaction), false);
      case Reply.RpcError _ ->
          uncertain(McpSession.describe(reply, redaction), Effect.UNCERTAIN, call);
      case Reply.NoAnswer(Exchange exchange) when isOpen(exchange) ->
          uncertain(McpSession.describe(reply, redaction), Effect.UNANSWERED, call);
      case Reply.NoAnswer(Exchange exchange) ->
          Attempt.of(exchange, call, redaction, clock.instant());
    };
  }

  private static Attempt judge(JsonNode result, ToolCall call, Redaction redaction) {
    if (isTask(result)) {
      return uncertain("the server goes on with it as a task", Effect.UNANSWERED, call);
    }
    String type = result.path("resultType").asText(COMPLETE);
    if (type.equals("input_required")) {
      return new Attempt.Refused(
          "the server asks for input, which this service cannot give", false);
    }
    if (!type.equals(COMPLETE)) {
      return uncertain(
          "the server answered with a result of type " + redaction.excerpt(type),
          Effect.UNANSWERED,
          call);
    }
    if (!result.path("isError").asBoolean()) {
      JsonNode redacted = redaction.tree(result);
      return new Attempt.Applied(
          new CallResult.Applied(
              redacted, null, call.answerKept() ? WholeAnswer.ofJson(redacted) : null));
    }
    String error = "the tool failed: " + redaction.excerpt(words(result));
    return call.connector().isErrorMeansNothingHappened(call.tool())
        ? new Attempt.Refused(error, false)
        : uncertain(error, Effect.UNCERTAIN, call);
  }

  private static boolean isTask(JsonNode result) {
    return result.path("resultType").asText().equals("task")
        || (result.path("task").isObject() && !result.has("content"));
  }

  /** Returns whether the status was a success, which only means that an answer would follow. */
  private static boolean isOpen(Exchange exchange) {
    return switch (exchange) {
      case Exchange.Answered answered -> answered.hasStatusOfSuccess();
      case Exchange.Lost(String _, Exchange.Answered begun) when begun != null ->
          begun.hasStatusOfSuccess();
      default -> false;
    };
  }

  private static Attempt uncertain(String error, Effect effect, ToolCall call) {
    return Attempt.Failed.uncertain(error, effect, call.tool(), null);
  }

  /** The text of a result: the texts of its content and resources, or else its JSON. */
  private static String words(JsonNode result) {
    StringBuilder words = new StringBuilder();
    for (JsonNode one : result.path("content")) {
      words.append(one.path("text").asText()).append(' ');
      words.append(one.path("resource").path("text").asText()).append(' ');
    }
    JsonNode structured = result.path("structuredContent");
    return words.toString().isBlank() && !structured.isMissingNode()
        ? Json.write(structured)
        : words.toString();
  }
}
