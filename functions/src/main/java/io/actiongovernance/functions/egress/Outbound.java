package io.actiongovernance.functions.egress;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a source system, or to a webhook endpoint.
 *
 * @param url its query may contain credentials: never log it
 * @param headers contain credentials: never log them
 * @param contentType the media type of the body
 * @param body null for none
 * @param whole whether the response is wanted byte for byte, including parts that are not needed to
 *     judge it
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

  /** A request with a JSON body, or without one. */
  public Outbound(String method, URI url, Map<String, String> headers, @Nullable String body) {
    this(method, url, headers, JSON, body);
  }

  /** A request whose response is wanted only as text. */
  public Outbound(
      String method,
      URI url,
      Map<String, String> headers,
      String contentType,
      @Nullable String body) {
    this(method, url, headers, contentType, body, false);
  }

  /** Percent-encodes all characters except unreserved ones, for a path or a query. */
  public static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8)
        .replace("+", "%20")
        .replace("*", "%2A")
        .replace("%7E", "~");
  }

  public Outbound to(URI another) {
    return new Outbound(method, another, headers, contentType, body, whole);
  }

  public Outbound with(Map<String, String> others) {
    return new Outbound(method, url, others, contentType, body, whole);
  }

  /** A copy that specifies whether the response is also wanted byte for byte. */
  public Outbound answeredWhole(boolean wanted) {
    return new Outbound(method, url, headers, contentType, body, wanted);
  }

  @Override
  public String toString() {
    return method + " " + url.getHost();
  }
}
