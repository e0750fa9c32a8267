package io.actiongovernance.functions.upstream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.Tool;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.functions.egress.Exchange;
import io.actiongovernance.functions.egress.Redaction;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What one request of a tool call came to (contract, sections 2 and 5). */
sealed interface Attempt {
  /** What is known of the effect of requests that were no success, the least known last. */
  enum Effect {
    /** The source system certainly did not act. */
    NONE,
    /** It may have acted; but it answered, and is at work no more. */
    UNCERTAIN,
    /** It may have acted, and may be at it still. */
    UNANSWERED;

    /** What is known of both together. */
    Effect and(Effect other) {
      return compareTo(other) < 0 ? other : this;
    }
  }

  /** The call took effect. */
  record Applied(CallResult.Applied result) implements Attempt {}

  /** The source system refused what was asked; asking again would be refused again. */
  record Refused(String error, boolean credentialsRejected) implements Attempt {}

  /**
   * It came to nothing that is final.
   *
   * @param again whether another request may be made
   * @param after how long to wait before it, as the source system says; null when it does not
   */
  record Failed(String error, Effect effect, boolean again, @Nullable Duration after)
      implements Attempt {
    /** The source system certainly did not act; {@code again} where that may pass. */
    static Failed certainly(String error, boolean again, @Nullable Duration after) {
      return new Failed(error, Effect.NONE, again, after);
    }

    /** It may have acted: asked again only if it takes the second request for the first. */
    static Failed uncertain(String error, Effect effect, Tool tool, @Nullable Duration after) {
      return new Failed(error, effect, tool.retrySafe(), after);
    }
  }

  /** The source system was asked what it offers, and what was to be called is not what it was. */
  record Changed(String reason) implements Attempt {}

  /** No request was made, since none of these arguments may be. */
  record Barred(String reason) implements Attempt {}

  /** No request was made, and none can be. */
  record Unmade(String why) implements Attempt {}

  /**
   * Nothing left the service, by no doing of the source system: its permit ended, or the service
   * had trouble of its own.
   *
   * @param pause until it may be tried again
   */
  record Withheld(Duration pause) implements Attempt {}

  /** Judges an exchange. */
  static Attempt of(Exchange exchange, ToolCall call, Redaction redaction, Instant now) {
    Tool tool = call.tool();
    return switch (exchange) {
      case Exchange.Forbidden(String why) -> Failed.certainly(why, false, null);
      case Exchange.NotSent(String why) ->
          Failed.certainly("upstream unreachable: " + why, true, null);
      case Exchange.Withheld _ -> new Withheld(Duration.ZERO);
      case Exchange.Lost(String why, Exchange.Answered begun) when begun != null ->
          of(Answer.withoutBody(begun, success(call)), tool, redaction, now, why);
      case Exchange.Lost(String why, _) ->
          Failed.uncertain("upstream reply lost: " + why, Effect.UNANSWERED, tool, null);
      case Exchange.Answered answered ->
          of(new Answer(answered, success(call)), tool, redaction, now, null);
    };
  }

  /**
   * Judges an answer by its status, which says enough wherever its body ends.
   *
   * @param broken why its body did not come; null when it did
   */
  private static Attempt of(
      Answer answer, Tool tool, Redaction redaction, Instant now, @Nullable String broken) {
    String error =
        answer.describe(redaction)
            + (broken == null ? "" : " (the rest of its answer was lost: " + broken + ")");
    Effect uncertain = broken == null ? Effect.UNCERTAIN : Effect.UNANSWERED;
    if (answer.hasStatusOfSuccess()) {
      return succeeded(answer, error, tool, redaction, uncertain);
    }
    int status = answer.status();
    Duration after = answer.retryAfter(now).orElse(null);
    if (status == 429 || (status == 503 && after != null)) {
      // One that says when to come back has not begun.
      return Failed.certainly(error, true, after);
    }
    if (status == 401) {
      return new Refused(error, true);
    }
    if (didNotAct(status, tool)) {
      return status >= 500
          ? Failed.certainly(error, false, null)
          : new Refused(error, answer.namesRejectedCredentials());
    }
    return Failed.uncertain(error, uncertain, tool, after);
  }

  /** Whether the status says that nothing happened: a redirect that keeps the method has not. */
  private static boolean didNotAct(int status, Tool tool) {
    return status == 307
        || status == 308
        || (status >= 400 && status < 500 && status != 408)
        || tool.didNotAct().contains(status);
  }

  private static Attempt succeeded(
      Answer answer, String error, Tool tool, Redaction redaction, Effect uncertain) {
    if (answer.confirmed().isEmpty()) {
      return Failed.uncertain(
          error + " (its body does not say whether it acted)", uncertain, tool, null);
    }
    if (!answer.confirmed().get()) {
      return new Refused(error, answer.namesRejectedCredentials());
    }
    JsonNode result = redaction.tree(answer.json());
    return new Applied(
        new CallResult.Applied(result, reference(result, tool), answer.whole(redaction)));
  }

  private static @Nullable String reference(JsonNode result, Tool tool) {
    JsonNode found =
        tool.reference() == null ? NullNode.getInstance() : result.at(tool.reference());
    boolean named = found.isTextual() || found.isNumber();
    return named && found.asText().length() <= 500 ? found.asText() : null;
  }

  private static Tool.@Nullable Success success(ToolCall call) {
    Connector connector = call.connector();
    Tool tool = call.tool();
    return tool.success() == null ? connector.listing().success() : tool.success();
  }
}
