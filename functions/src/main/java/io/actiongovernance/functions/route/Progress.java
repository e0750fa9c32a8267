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

/** What is known of a request so far; its headers are told from it. Not thread-safe. */
final class Progress {
  final RequestId requestId;
  final Instant receivedAt;
  Revision revision = Revision.LATEST;

  /** Of what the request touches that is deprecated. */
  final Set<Deprecation> deprecations = new LinkedHashSet<>();

  @Nullable Charge charge;

  /** What whoever is not known is asked to show, where it is more than it always is. */
  @Nullable String challenge;

  /** Who may keep the answer. */
  Route.Cache cache = Route.Cache.NOBODY;

  /** Whether a refusal is told as a page. */
  boolean page;

  /** The id of the message of JSON-RPC that the request is, once it is known to be one. */
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
