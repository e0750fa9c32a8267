package io.actiongovernance.functions.connector;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request to a source system, or to a webhook endpoint.
 *
 * @param headers carry credentials: never to be logged
 * @param body in JSON, or null for none
 */
public record Outbound(String method, URI url, Map<String, String> headers, @Nullable String body) {
  @Override
  public String toString() {
    return method + " " + url.getHost();
  }
}
