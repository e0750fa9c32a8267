package io.actiongovernance.functions.route;

import java.util.List;
import java.util.Map;

/**
 * A response in the gateway's form.
 *
 * @param headers the headers with one value
 * @param repeated the headers with several values, each on its own line
 */
record HttpResponse(
    int status, Map<String, String> headers, Map<String, List<String>> repeated, Content content) {
  HttpResponse {
    headers = Map.copyOf(headers);
    repeated = Map.copyOf(repeated);
  }

  /** The body; empty if it is not text. */
  String text() {
    return content instanceof Content.Text(String text) ? text : "";
  }
}
