package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.functions.api.Deprecation;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.id.RequestId;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The facts known about a request so far; its response headers report them. Not thread-safe. */
final class Progress {
  final RequestId requestId;
  final Instant receivedAt;
  Revision revision = Revision.LATEST;

  /** Deprecations that affect this request. */
  final Set<Deprecation> deprecations = new LinkedHashSet<>();

  @Nullable Charge charge;

  /** The {@code WWW-Authenticate} challenge for an unauthenticated caller; null for the default. */
  @Nullable String challenge;

  Route.Cache cache = Route.Cache.NOBODY;

  /** True if errors of this request are answered with a page. */
  boolean page;

  /** The id of the request's JSON-RPC message; null until the request is known to be one. */
  @Nullable JsonNode message;

  Progress(RequestId requestId, Instant receivedAt) {
    this.requestId = requestId;
    this.receivedAt = receivedAt;
  }

  void serve(Revision asked) {
    revision = asked;
    asked.deprecation().ifPresent(deprecations::add);
  }
}
