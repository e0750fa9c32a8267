package io.actiongovernance.functions.route;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A response as the gateway takes it.
 *
 * @param stream what is written in the place of the body, or null
 */
record HttpResponse(
    int status, Map<String, String> headers, String body, @Nullable StreamBody stream) {
  HttpResponse {
    headers = Map.copyOf(headers);
  }
}
