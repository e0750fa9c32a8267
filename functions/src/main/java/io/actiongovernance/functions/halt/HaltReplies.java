package io.actiongovernance.functions.halt;

import io.actiongovernance.api.ApiError;
import io.actiongovernance.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.halt.Halts;
import java.time.Duration;

/** The errors that halting and lifting answer with (contract, section 4). */
final class HaltReplies {
  private static final Duration QUOTA_RETRY = Duration.ofSeconds(60);

  private HaltReplies() {}

  /** What a request answers that did not do what it asked for. */
  static Reply refusal(Halts.Result result) {
    return switch (result) {
      case Halts.Result.Done _, Halts.Result.HaltedBefore _ ->
          throw new IllegalArgumentException("It was done.");
      case Halts.Result.NotFound _ -> Reply.notFound("resource");
      case Halts.Result.BeyondCaller _ ->
          Reply.error(
              ErrorCode.INSUFFICIENT_SCOPE,
              "A key pinned to a workspace or bound to operators cannot halt the whole tenant, nor"
                  + " lift a halt.");
      case Halts.Result.LiftedBefore _ ->
          Reply.error(ErrorCode.STATE_CONFLICT, "The halt is already lifted.");
      case Halts.Result.TooMany(int most) ->
          Reply.error(
              new ApiError(
                  ErrorCode.QUOTA_EXCEEDED,
                  most + " operators and connectors are halted already.",
                  null,
                  null,
                  QUOTA_RETRY));
    };
  }
}
