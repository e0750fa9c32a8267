package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.webhook.Redeliver.Result;
import java.util.function.Function;

/** How the routes answer that have deliveries made. */
final class DeliveryReplies {
  private DeliveryReplies() {}

  /**
   * The answer to a request for a delivery.
   *
   * @param done what a success is answered with
   */
  static Reply of(Result result, Function<DeliveryView, Reply> done) {
    return switch (result) {
      case Result.Done(var shown) -> done.apply(DeliveryView.of(shown));
      case Result.Refusal refusal -> refusal(refusal);
    };
  }

  static Reply refusal(Result.Refusal refusal) {
    return switch (refusal) {
      case Result.NoEndpoint _ -> EndpointReplies.notFound();
      case Result.NoDelivery _ -> notFound();
      case Result.StillPending _ ->
          Reply.error(ErrorCode.STATE_CONFLICT, "The delivery is still pending.");
      case Result.NotActive(var status) ->
          Reply.error(
              ErrorCode.STATE_CONFLICT,
              "The endpoint is " + status.wire() + ": nothing is delivered to it.");
    };
  }

  static Reply notFound() {
    return Reply.notFound("webhook delivery");
  }
}
