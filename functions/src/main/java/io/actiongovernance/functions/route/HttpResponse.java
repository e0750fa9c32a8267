package io.actiongovernance.functions.route;

import java.util.Map;

/** A response as the gateway takes it. */
record HttpResponse(int status, Map<String, String> headers, String body) {
  HttpResponse {
    headers = Map.copyOf(headers);
  }
}
