package io.actiongovernance.localstack.emulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * What API Gateway answers by itself: literal headers and a text, in both of which the request's
 * identifier may be named. Immutable.
 */
record GatewayAnswer(int status, Map<String, String> headers, String body) {
  private static final String HEADER = "gatewayresponse.header.";
  private static final String REQUEST_ID = "context.requestId";

  GatewayAnswer {
    headers = Map.copyOf(headers);
  }

  static GatewayAnswer of(Properties properties) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> one :
        properties.json().path("ResponseParameters").properties()) {
      String value = one.getValue().asText();
      boolean literal = value.startsWith("'") && value.endsWith("'");
      if (!one.getKey().startsWith(HEADER) || !literal && !value.equals(REQUEST_ID)) {
        throw new Refused("The response parameter %s is not known here.".formatted(one));
      }
      headers.put(one.getKey().substring(HEADER.length()), value);
    }
    return new GatewayAnswer(
        properties.number("StatusCode"),
        headers,
        properties.part("ResponseTemplates").text("application/json"));
  }

  /** Sends it; yields true: the request is handled. */
  boolean write(Response response, Callback callback) {
    String id = UUID.randomUUID().toString();
    response.setStatus(status);
    headers.forEach(
        (name, value) ->
            response
                .getHeaders()
                .put(name, value.equals(REQUEST_ID) ? id : value.substring(1, value.length() - 1)));
    Content.Sink.write(response, true, body.replace("$" + REQUEST_ID, id), callback);
    return true;
  }
}
