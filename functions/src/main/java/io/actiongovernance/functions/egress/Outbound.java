package io.actiongovernance.functions.egress;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a source system, or to a webhook endpoint.
 *
 * @param headers carry credentials: never to be logged
 * @param contentType of the body
 * @param body null for none
 */
public record Outbound(
    String method,
    URI url,
    Map<String, String> headers,
    String contentType,
    @Nullable String body) {
  public static final String JSON = "application/json";
  public static final String FORM = "application/x-www-form-urlencoded";

  /** A request with a body in JSON, or without one. */
  public Outbound(String method, URI url, Map<String, String> headers, @Nullable String body) {
    this(method, url, headers, JSON, body);
  }

  /** The same with these headers. */
  public Outbound with(Map<String, String> others) {
    return new Outbound(method, url, others, contentType, body);
  }

  @Override
  public String toString() {
    return method + " " + url.getHost();
  }
}
