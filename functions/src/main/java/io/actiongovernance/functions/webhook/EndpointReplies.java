package io.actiongovernance.functions.webhook;

import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.ErrorCode;
import io.actiongovernance.functions.route.Reply;
import io.actiongovernance.webhook.Endpoint;
import io.actiongovernance.webhook.EndpointHealth;
import io.actiongovernance.webhook.Endpoints;
import io.actiongovernance.webhook.ManageEndpoints.Result;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;

/** How the routes of endpoints answer. Thread-safe. */
final class EndpointReplies {
  private final EndpointHealth health;
  private final InstantSource clock;

  EndpointReplies(EndpointHealth health, InstantSource clock) {
    this.health = health;
    this.clock = clock;
  }

  /** What reads show of an endpoint. */
  EndpointView view(Endpoint endpoint) {
    return EndpointView.of(endpoint, health.of(endpoint), clock.instant());
  }

  /**
   * The answer to a request to make or change one.
   *
   * @param done what a success is answered with
   */
  Reply of(Result result, Function<EndpointView, Reply> done) {
    return switch (result) {
      case Result.Done(var endpoint, var secret) ->
          done.apply(EndpointView.telling(endpoint, secret, health.of(endpoint), clock.instant()));
      case Result.NotFound _ -> notFound();
      case Result.UrlTaken _ ->
          Reply.error(ErrorCode.STATE_CONFLICT, "An active endpoint with this url exists.");
      case Result.QuotaExceeded _ ->
          Reply.error(
              new ApiError(
                  ErrorCode.QUOTA_EXCEEDED,
                  "The tenant has its " + Endpoints.QUOTA + " webhook endpoints already.",
                  null,
                  null,
                  Duration.ofMinutes(1)));
      case Result.Contended _ ->
          Reply.error(
              ErrorCode.STATE_CONFLICT, "The endpoint was changed by other requests meanwhile.");
    };
  }

  static Reply notFound() {
    return Reply.notFound("webhook endpoint");
  }
}
