package io.actiongovernance.functions.docs;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.json.Json;
import java.util.List;

/** The contract's response headers (section 1), in the published document. Stateless. */
final class Headers {
  static final List<String> OF_EVERY_RESPONSE =
      List.of(
          "X-Request-Id",
          "Service-Version",
          "X-RateLimit-Limit",
          "X-RateLimit-Remaining",
          "X-RateLimit-Reset");

  /** The headers of any response whose request touches a deprecated element. */
  static final List<String> OF_DEPRECATION = List.of("Deprecation", "Sunset", "Link");

  private Headers() {}

  /** References to the headers of every response, and to the given ones. */
  static ObjectNode references(String... further) {
    ObjectNode headers = Json.object();
    OF_EVERY_RESPONSE.forEach(name -> reference(headers, name));
    OF_DEPRECATION.forEach(name -> reference(headers, name));
    for (String name : further) {
      reference(headers, name);
    }
    return headers;
  }

  private static void reference(ObjectNode headers, String name) {
    headers.putObject(name).put("$ref", "#/components/headers/" + name);
  }

  /** The targets of the references. */
  static ObjectNode components() {
    ObjectNode all = Json.object();
    text(
            all,
            "X-Request-Id",
            "Identifier of the request, made by the server; its errors and receipts have it too.")
        .put("example", "req_01m7yt2z78d1b3k25vq4kv9jme");
    text(all, "Service-Version", "The revision that served the request, YYYY-MM-DD.")
        .put("example", Revision.LATEST.date());
    number(
            all,
            "X-RateLimit-Limit",
            "Number of requests a minute that the route's rate class allows.")
        .put("example", 1000);
    number(
            all,
            "X-RateLimit-Remaining",
            "Number of requests left now: up to twice the limit after a quiet time.")
        .put("example", 1999);
    number(
            all,
            "X-RateLimit-Reset",
            "Unix second at which `X-RateLimit-Remaining` is back at the limit; now if it already is.")
        .put("example", 1795383847);
    OF_EVERY_RESPONSE.forEach(name -> all.withObjectProperty(name).put("required", true));
    text(all, "Deprecation", "`true` if the request uses something deprecated.")
        .put("example", "true");
    text(
            all,
            "Sunset",
            "With `Deprecation`: the date before which the deprecated part is not removed.")
        .put("example", "Wed, 01 Dec 2027 00:00:00 GMT");
    text(all, "Link", "With `Deprecation`: the entry in the changelog, with `rel=deprecation`.")
        .put(
            "example",
            "<https://api.example/docs/changelog#revision-2026-05-01-deprecated>;"
                + " rel=\"deprecation\"; type=\"text/html\"");
    number(
            all,
            "Retry-After",
            "Seconds to wait. Comes with every 429 and 503, and with a 409 for a lock or for work"
                + " in progress.")
        .put("example", 2);
    text(all, "Location", "Address to which the browser is sent.")
        .put("example", "https://login.acme.example/authorize?client_id=governance");
    text(all, "Set-Cookie", "Cookie of the browser's session, or of a sign-in that has begun.")
        .put("example", "__Host-gov-live=…; Max-Age=43200; Path=/; HttpOnly; SameSite=Lax; Secure");
    text(
            all,
            "Idempotent-Replayed",
            "`true` on a stored answer that is repeated for the same `Idempotency-Key`.")
        .put("example", "true");
    return all;
  }

  private static ObjectNode text(ObjectNode all, String name, String description) {
    ObjectNode header = all.putObject(name).put("description", description);
    header.putObject("schema").put("type", "string");
    return header;
  }

  private static ObjectNode number(ObjectNode all, String name, String description) {
    ObjectNode header = all.putObject(name).put("description", description);
    header.putObject("schema").put("type", "integer").put("minimum", 0);
    return header;
  }
}
