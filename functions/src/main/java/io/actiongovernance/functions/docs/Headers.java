package io.actiongovernance.functions.docs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The response headers of the contract (section 1), as the document tells of them. Stateless. */
final class Headers {
  static final List<String> OF_EVERY_RESPONSE =
      List.of(
          "X-Request-Id",
          "Service-Version",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset");

  static final Set<String> NUMBERS =
      Set.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "Retry-After");

  static final Map<String, String> DESCRIPTIONS = descriptions();

  private Headers() {}

  private static Map<String, String> descriptions() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("X-Request-Id", "Names the request, in errors and receipts too.");
    all.put("Service-Version", "The revision that served the request.");
    all.put("X-RateLimit-Limit", "Requests a minute.");
    all.put("X-RateLimit-Remaining", "Requests left.");
    all.put("X-RateLimit-Reset", "The Unix second at which all are there again.");
    all.put(
        "Retry-After", "Seconds; with every 429, 503, and 409 of a lock or of work in progress.");
    all.put("Idempotent-Replayed", "`true` on an answer that was stored.");
    return all;
  }
}
