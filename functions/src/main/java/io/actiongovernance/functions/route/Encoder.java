package io.actiongovernance.functions.route;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.access.RateLimits.Charge;
import io.actiongovernance.functions.api.ApiError;
import io.actiongovernance.functions.api.BrowserHeaders;
import io.actiongovernance.functions.api.Deprecation;
import io.actiongovernance.functions.api.Revision;
import io.actiongovernance.functions.contract.ErrorCode;
import io.actiongovernance.functions.settings.BaseUrl;
import io.actiongovernance.id.RequestId;
import io.actiongovernance.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Writes replies as responses, with the headers that every response has (contract, section 1).
 * Thread-safe.
 */
final class Encoder {
  private static final String JSON = "application/json";

  /** Directives for every page, by which no site may frame it. */
  private static final String NOBODY = "; base-uri 'none'; frame-ancestors 'none'";

  /** Directive for every page that does not permit forms, by which it submits none. */
  private static final String NO_FORMS = "; form-action 'none'";

  /**
   * Error codes: those that JSON-RPC 2.0 defines, and the first of the range that it leaves to
   * servers.
   */
  private static final int INVALID_PARAMS = -32602;

  private static final int RPC_INTERNAL_ERROR = -32603;
  private static final int RPC_REFUSED = -32000;

  private static final String ERRORS_PAGE = "/docs/errors";
  private static final String CHANGELOG_PAGE = "/docs/changelog";
  private static final Duration QUOTA_RETRY = Duration.ofMinutes(1);
  private static final Duration DEFAULT_RETRY = Duration.ofSeconds(1);

  /** RFC 9110's preferred form. The JDK's RFC_1123_DATE_TIME omits the leading zero of a day. */
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

  private static String policy(String loads) {
    return loads + (loads.contains("; form-action ") ? "" : NO_FORMS) + NOBODY;
  }

  /** Returns whether the error concerns the HTTP request's path or rate, not the message in it. */
  static boolean isOfTheRequest(ApiError error) {
    return error.code() == ErrorCode.NOT_FOUND || error.code() == ErrorCode.RATE_LIMITED;
  }

  private final URI baseUrl;
  private final Map<String, String> browserHeaders;

  /** True if compressed bytes can be sent to the client unchanged. */
  private final boolean sendsBinary;

  Encoder(URI baseUrl) {
    this.baseUrl = baseUrl;
    this.browserHeaders = BrowserHeaders.of(baseUrl);
    this.sendsBinary = !BaseUrl.isLocalStack(baseUrl);
  }

  /**
   * An encoded reply, without the headers that depend on the request.
   *
   * @param repeated the headers with several values
   */
  record Encoded(
      int status,
      Map<String, String> headers,
      Map<String, List<String>> repeated,
      Content content) {
    Encoded(int status, Map<String, String> headers, Content content) {
      this(status, headers, Map.of(), content);
    }

    Encoded(int status, Map<String, String> headers, String text) {
      this(status, headers, new Content.Text(text));
    }

    /** The body; empty if it is not text. */
    String text() {
      return content instanceof Content.Text(String text) ? text : "";
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
          new Encoded(status, of(contentType), text);
      case Reply.Page(String html, String loads) -> {
        Map<String, String> headers = of("text/html; charset=utf-8");
        headers.put("Content-Security-Policy", policy(loads));
        yield new Encoded(200, headers, html);
      }
      case Reply.Redirect(int status, URI to) ->
          new Encoded(status, new HashMap<>(Map.of("Location", to.toString())), Content.NOTHING);
      case Reply.Empty(int status) -> new Encoded(status, new HashMap<>(), Content.NOTHING);
      case Reply.Asset(String contentType, byte[] gzip) -> {
        Map<String, String> headers = of(contentType);
        headers.put("Vary", "Accept-Encoding");
        yield new Encoded(reply.status(), headers, new Content.Compressed(gzip));
      }
      case Reply.With(Reply inner, Map<String, List<String>> headers) -> {
        Encoded encoded = encode(inner, requestId);
        yield new Encoded(encoded.status(), encoded.headers(), headers, encoded.content());
      }
      case Reply.Remade(Reply inner, _) -> encode(inner, requestId);
      case Reply.Streamed(String contentType, StreamBody stream) ->
          new Encoded(
              reply.status(), Map.of("Content-Type", contentType), new Content.Stream(stream));
      case Reply.Failure(ApiError error) -> error(error, requestId);
      case Reply.Pending(ApiError error) -> error(error, requestId);
    };
  }

  /** An error as an HTML page, with the error's status and headers. */
  Encoded page(ApiError error, RequestId requestId) {
    Map<String, String> headers = error(error, requestId).headers();
    headers.putAll(of("text/html; charset=utf-8"));
    PlainPage page = ErrorPage.of(error, requestId, baseUrl);
    headers.put("Content-Security-Policy", policy(page.loads()));
    return new Encoded(error.code().status(), headers, page.html());
  }

  private static Map<String, String> of(String contentType) {
    return new HashMap<>(Map.of("Content-Type", contentType));
  }

  /**
   * An error as a JSON-RPC 2.0 response to a message; its data is the contract's error.
   *
   * @param id the message's id; JSON null if it has none
   */
  Encoded rpcError(ApiError error, JsonNode id, RequestId requestId) {
    ObjectNode answer = Json.object().put("jsonrpc", "2.0");
    answer.set("id", id);
    answer
        .putObject("error")
        .put("code", rpcCode(error.code()))
        .put("message", error.message())
        .set("data", Json.tree(envelope(error, requestId).error()));
    return new Encoded(200, new HashMap<>(Map.of("Content-Type", JSON)), Json.write(answer));
  }

  private static int rpcCode(ErrorCode code) {
    return switch (code) {
      case MISSING_PARAMETER, INVALID_PARAMETER -> INVALID_PARAMS;
      case INTERNAL_ERROR -> RPC_INTERNAL_ERROR;
      default -> RPC_REFUSED;
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
    return new Encoded(code.status(), headers, Json.write(envelope(error, requestId)));
  }

  private ErrorEnvelope envelope(ApiError error, RequestId requestId) {
    ErrorCode code = error.code();
    return new ErrorEnvelope(
        new ErrorEnvelope.ErrorObject(
            code.type(),
            code,
            error.message(),
            BaseUrl.at(baseUrl, ERRORS_PAGE + "#" + code.wire()),
            requestId,
            error.param(),
            error.details()));
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
   * The facts about a request that the headers of its response report.
   *
   * @param charge null if nothing was charged
   */
  record ResponseTerms(
      RequestId requestId,
      Revision revision,
      Set<Deprecation> deprecations,
      @Nullable Charge charge,
      Route.Cache cache,
      boolean takesGzip) {}

  /**
   * Returns the response: an encoded reply, possibly of an earlier request, with the headers of
   * this request.
   */
  HttpResponse respond(Encoded encoded, ResponseTerms told) {
    Map<String, String> headers = new HashMap<>(encoded.headers());
    headers.putAll(browserHeaders);
    headers.putAll(told(told.deprecations()));
    headers.put("X-Request-Id", told.requestId().value());
    headers.put("Service-Version", told.revision().date());
    Charge charge = told.charge();
    if (charge != null) {
      headers.put("X-RateLimit-Limit", Integer.toString(charge.limit()));
      headers.put("X-RateLimit-Remaining", Long.toString(charge.remaining()));
      headers.put("X-RateLimit-Reset", Long.toString(charge.resetSecond()));
    }
    boolean kept = told.cache() == Route.Cache.EVERYBODY && encoded.status() == 200;
    headers.put("Cache-Control", kept ? "public, max-age=31536000, immutable" : "no-store");
    Content content = encoded.content();
    if (content instanceof Content.Compressed(byte[] gzip)) {
      boolean compressed = told.takesGzip() && sendsBinary;
      if (compressed) {
        headers.put("Content-Encoding", "gzip");
      }
      content = new Content.Bytes(compressed ? gzip : expanded(gzip));
    }
    return new HttpResponse(encoded.status(), headers, encoded.repeated(), content);
  }

  private static byte[] expanded(byte[] gzip) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The headers that announce deprecations: the earliest sunset, and links to each announcement
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
        .formatted(BaseUrl.at(baseUrl, CHANGELOG_PAGE), deprecation.announcement().anchor());
  }
}
