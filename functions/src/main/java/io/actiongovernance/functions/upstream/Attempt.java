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

/** The outcome of one request of a tool call (contract, sections 2 and 5). */
sealed interface Attempt {
  /** The effect that unsuccessful requests may have had, from the most certain to the least. */
  enum Effect {
    /** The source system certainly did not act. */
    NONE,
    /** The source system may have acted, but it answered, and so is no longer at work. */
    UNCERTAIN,
    /** The source system may have acted, and may still be at work. */
    UNANSWERED;

    /** The less certain of both effects. */
    Effect and(Effect other) {
      return compareTo(other) < 0 ? other : this;
    }
  }

  record Applied(CallResult.Applied result) implements Attempt {}

  /** The source system refused the request, and would refuse it again. */
  record Refused(String error, boolean credentialsRejected) implements Attempt {}

  /**
   * An outcome that is not final.
   *
   * @param again whether another request may be made
   * @param after the wait before it, as the source system states; null if it states none
   */
  record Failed(String error, Effect effect, boolean again, @Nullable Duration after)
      implements Attempt {
    /**
     * A failure after which the source system certainly did not act.
     *
     * @param again whether the cause may pass
     */
    static Failed certainly(String error, boolean again, @Nullable Duration after) {
      return new Failed(error, Effect.NONE, again, after);
    }

    /**
     * A failure after which the source system may have acted. The request is repeated only if the
     * source system recognizes a repetition.
     */
    static Failed uncertain(String error, Effect effect, Tool tool, @Nullable Duration after) {
      return new Failed(error, effect, tool.retrySafe(), after);
    }
  }

  /** The source system was asked for its tools, and the tool to call has changed. */
  record Changed(String reason) implements Attempt {}

  /** No request was made, because these arguments may never be sent. */
  record Barred(String reason) implements Attempt {}

  /** No request was made, and none can be made. */
  record Unmade(String why) implements Attempt {}

  /**
   * Nothing left the service, for a reason within the service: the permit ended, or the service
   * failed.
   *
   * @param pause the wait before another try
   */
  record Withheld(Duration pause) implements Attempt {}

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
   * Judges an answer by its status, which is sufficient even if the body is incomplete.
   *
   * @param broken the reason why the answer's body was lost; null if it arrived
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
      // A server that states when to return has not begun.
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

  /**
   * Returns whether the status means that nothing happened. A redirect that keeps the method means
   * this too.
   */
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
