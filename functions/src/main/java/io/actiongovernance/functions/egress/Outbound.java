package io.actiongovernance.functions.egress;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a source system, or to a webhook endpoint.
 *
 * @param url its query may carry credentials: never to be logged
 * @param headers carry credentials: never to be logged
 * @param contentType of the body
 * @param body null for none
 * @param whole whether the answer is wanted byte for byte, and more of it than is judged by
 */
public record Outbound(
    String method,
    URI url,
    Map<String, String> headers,
    String contentType,
    @Nullable String body,
    boolean whole) {
  public static final String JSON = "application/json";
  public static final String FORM = "application/x-www-form-urlencoded";

  /** A request with a body in JSON, or without one. */
  public Outbound(String method, URI url, Map<String, String> headers, @Nullable String body) {
    this(method, url, headers, JSON, body);
  }

  /** A request whose answer is wanted as a text. */
  public Outbound(
      String method,
      URI url,
      Map<String, String> headers,
      String contentType,
      @Nullable String body) {
    this(method, url, headers, contentType, body, false);
  }

  /** Percent-encodes everything but unreserved characters, for a path or a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  /** The same with another URL. */
  public Outbound to(URI another) {
    return new Outbound(method, another, headers, contentType, body, whole);
  }

  /** The same with these headers. */
  public Outbound with(Map<String, String> others) {
    return new Outbound(method, url, others, contentType, body, whole);
  }

  /** The same, whose answer is wanted byte for byte too, or not. */
  public Outbound answeredWhole(boolean wanted) {
    return new Outbound(method, url, headers, contentType, body, wanted);
  }

  @Override
  public String toString() {
    return method + " " + url.getHost();
  }
}
