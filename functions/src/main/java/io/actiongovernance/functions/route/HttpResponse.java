package io.actiongovernance.functions.route;

import java.util.List;
import java.util.Map;

/**
 * A response as the gateway takes it.
 *
 * @param headers those with one value
 * @param repeated those with several, each in a line of its own
 */
record HttpResponse(
    int status, Map<String, String> headers, Map<String, List<String>> repeated, Content content) {
  HttpResponse {
    headers = Map.copyOf(headers);
    repeated = Map.copyOf(repeated);
  }

  /** The body, of a response that has text for one. */
  String text() {
    return content instanceof Content.Text(String text) ? text : "";
  }
}
