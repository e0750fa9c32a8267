package io.actiongovernance.functions.route;

import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.Deprecation;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes replies as responses, with the headers that every one of them has (contract, section 1).
 * Thread-safe.
 */
final class Encoder {
  private static final String JSON = "application/json";

  /** Of every page: nobody frames it, and it sends nobody anywhere. */
  private static final String NOBODY =
      "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

  private static final String ERRORS_PAGE = "/docs/errors";
  private static final String CHANGELOG_PAGE = "/docs/changelog";
  private static final Duration QUOTA_RETRY = Duration.ofMinutes(1);
  private static final Duration DEFAULT_RETRY = Duration.ofSeconds(1);

  /** RFC 9110's preferred form; the JDK's RFC_1123_DATE_TIME leaves out the zero of a day. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

  private final URI baseUrl;

  Encoder(URI baseUrl) {
    this.baseUrl = baseUrl;
  }

  /**
   * What is written of a reply, before the headers of its own request.
   *
   * @param stream what is written in the place of the body, or null
   */
  record Encoded(
      int status, Map<String, String> headers, String body, @Nullable StreamBody stream) {
    Encoded(int status, Map<String, String> headers, String body) {
      this(status, headers, body, null);
    }
  }

  Encoded encode(Reply reply, RequestId requestId) {
    return switch (reply) {
      case Reply.Answer(int status, Object body, Map<String, String> headers) -> {
        Map<String, String> all = new HashMap<>(headers);
        all.putIfAbsent("Content-Type", JSON);
        yield new Encoded(status, all, Json.write(body));
      }
      case Reply.Text(int status, String contentType, String text) ->
          new Encoded(
              status,
              Map.of("Content-Type", contentType, "X-Content-Type-Options", "nosniff"),
              text);
      case Reply.Page(String html, String loads) ->
          new Encoded(
              200,
              Map.of(
                  "Content-Type",
                  "text/html; charset=utf-8",
                  "X-Content-Type-Options",
                  "nosniff",
                  "Content-Security-Policy",
                  loads + NOBODY),
              html);
      case Reply.Streamed(String contentType, StreamBody stream) ->
          new Encoded(reply.status(), Map.of("Content-Type", contentType), "", stream);
      case Reply.Failure(ApiError error) -> error(error, requestId);
      case Reply.Pending(ApiError error) -> error(error, requestId);
    };
  }

  private Encoded error(ApiError error, RequestId requestId) {
    ErrorCode code = error.code();
    Map<String, String> headers = new HashMap<>(Map.of("Content-Type", JSON));
    if (code.tellsWhenToRetry()) {
      headers.put("Retry-After", Long.toString(retrySeconds(error)));
    }
    if (code.status() == 401) {
      headers.put("WWW-Authenticate", "Bearer");
    }
    String docUrl = page(ERRORS_PAGE) + "#" + code.wire();
    ErrorEnvelope envelope =
        new ErrorEnvelope(
            new ErrorEnvelope.ErrorObject(
                code.type(),
                code,
                error.message(),
                URI.create(docUrl),
                requestId,
                error.param(),
                error.details()));
    return new Encoded(code.status(), headers, Json.write(envelope));
  }

  private static long retrySeconds(ApiError error) {
    Duration given = error.retryAfter();
    if (error.code() == ErrorCode.QUOTA_EXCEEDED) {
      given = QUOTA_RETRY;
    }
    Duration after = given == null ? DEFAULT_RETRY : given;
    return Math.max(1, Math.ceilDiv(after.toMillis(), 1000));
  }

  /**
   * The response to one request: what was encoded, perhaps for an earlier one, under this one's
   * headers.
   */
  HttpResponse respond(
      Encoded encoded,
      RequestId requestId,
      Revision revision,
      Set<Deprecation> deprecations,
      Charge charge) {
    Map<String, String> headers = new HashMap<>(encoded.headers());
    headers.putAll(told(deprecations));
    headers.put("X-Request-Id", requestId.value());
    headers.put("Service-Version", revision.date());
    headers.put("X-RateLimit-Limit", Integer.toString(charge.limit()));
    headers.put("X-RateLimit-Remaining", Long.toString(charge.remaining()));
    headers.put("X-RateLimit-Reset", Long.toString(charge.resetSecond()));
    headers.put("Cache-Control", "no-store");
    return new HttpResponse(encoded.status(), headers, encoded.body(), encoded.stream());
  }

  /**
   * The headers that tell of deprecations: the soonest end, and where each is announced
   * (specification, Versioning 5).
   */
  private Map<String, String> told(Set<Deprecation> deprecations) {
    return deprecations.stream()
        .map(Deprecation::sunset)
        .min(Comparator.naturalOrder())
        .map(
            sunset ->
                Map.of(
                    "Deprecation",
                    "true",
                    "Sunset",
                    HTTP_DATE.format(sunset.atStartOfDay(ZoneOffset.UTC)),
                    "Link",
                    deprecations.stream().map(this::link).collect(Collectors.joining(", "))))
        .orElse(Map.of());
  }

  private String link(Deprecation deprecation) {
    return "<%s#%s>; rel=\"deprecation\"; type=\"text/html\""
        .formatted(page(CHANGELOG_PAGE), deprecation.announcement().anchor());
  }

  private String page(String path) {
    return baseUrl.toString().replaceAll("/+$", "") + path;
  }
}
