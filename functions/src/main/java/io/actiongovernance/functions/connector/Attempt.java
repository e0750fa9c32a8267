package io.actiongovernance.functions.connector;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What one request of a tool call came to (contract, sections 2 and 5). */
sealed interface Attempt {
  /** The call took effect. */
  record Applied(CallResult.Applied result) implements Attempt {}

  /** The source system refused what was asked; asking again would be refused again. */
  record Refused(String error, boolean credentialsRejected) implements Attempt {}

  /**
   * It came to nothing that is final.
   *
   * @param certain whether the source system certainly did not act
   * @param again whether another request may be made
   * @param after how long to wait before it, as the source system says; null when it does not
   */
  record Failed(String error, boolean certain, boolean again, @Nullable Duration after)
      implements Attempt {}

  /** The source system was asked what it offers, and what was to be called is not what it was. */
  record Changed(String reason) implements Attempt {}

  /** No request was made, and none can be. */
  record Unmade(String why) implements Attempt {}

  /** The permit ended before the request that would have taken effect. */
  record Withdrawn() implements Attempt {}

  /** Judges an exchange. */
  static Attempt of(Exchange exchange, ToolCall call, Redaction redaction, Instant now) {
    Tool tool = call.tool();
    return switch (exchange) {
      case Exchange.Forbidden(String why) -> new Failed(why, true, false, null);
      case Exchange.NotSent(String why) ->
          new Failed("upstream unreachable: " + why, true, true, null);
      case Exchange.Lost(String why) ->
          new Failed("upstream reply lost: " + why, !tool.hasSideEffects(), tool.retrySafe(), null);
      case Exchange.Answered answered ->
          of(
              new Answer(answered, success(call.connector(), tool)),
              answered.tooLong(),
              tool,
              redaction,
              now);
    };
  }

  private static Attempt of(
      Answer answer, boolean tooLong, Tool tool, Redaction redaction, Instant now) {
    String error = answer.describe(redaction);
    if (answer.hasStatusOfSuccess()) {
      return succeeded(answer, tooLong, tool, redaction);
    }
    boolean harmless = !tool.hasSideEffects();
    return switch (answer.status()) {
      case 401 -> new Refused(error, true);
      case 429 -> new Failed(error, true, true, answer.retryAfter(now).orElse(null));
      case 503 -> {
        Duration after = answer.retryAfter(now).orElse(null);
        // One that says when to come back has not begun; any other may have died half-way.
        yield new Failed(
            error, harmless || after != null, tool.retrySafe() || after != null, after);
      }
      case 502, 504 ->
          new Failed(error, harmless, tool.retrySafe(), answer.retryAfter(now).orElse(null));
      case 301, 302, 303, 408 -> new Failed(error, harmless, false, null);
      default ->
          // The source system itself says that it failed; its reply was not lost.
          answer.status() >= 500
              ? new Failed(error, true, false, null)
              : new Refused(error, answer.namesRejectedCredentials());
    };
  }

  private static Attempt succeeded(Answer answer, boolean tooLong, Tool tool, Redaction redaction) {
    String error = answer.describe(redaction);
    if (tooLong && !tool.hasSideEffects()) {
      return new Refused(
          "upstream answered more than " + OutboundClient.LONGEST_BODY + " bytes", false);
    }
    if (answer.confirmed().isEmpty()) {
      return new Failed(
          error + " (its body does not say whether it acted)", !tool.hasSideEffects(), false, null);
    }
    if (!answer.confirmed().get()) {
      return new Refused(error, answer.namesRejectedCredentials());
    }
    JsonNode result = redaction.tree(answer.json());
    return new Applied(new CallResult.Applied(result, reference(result, tool)));
  }

  private static @Nullable String reference(JsonNode result, Tool tool) {
    JsonNode found =
        tool.reference() == null ? NullNode.getInstance() : result.at(tool.reference());
    boolean named = found.isTextual() || found.isNumber();
    return named && found.asText().length() <= 500 ? found.asText() : null;
  }

  private static Tool.@Nullable Success success(Connector connector, Tool tool) {
    return tool.success() == null ? connector.listing().success() : tool.success();
  }
}
