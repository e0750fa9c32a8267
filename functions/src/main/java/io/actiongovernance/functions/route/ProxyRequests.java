package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads API Gateway's proxy events (REST API). */
final class ProxyRequests {
  private ProxyRequests() {}

  static HttpRequest of(APIGatewayProxyRequestEvent event) {
    return new HttpRequest(
        event.getHttpMethod(),
        event.getResource(),
        event.getPath(),
        headers(event),
        query(event),
        body(event),
        address(event));
  }

  /** One that is sent twice is the list of both (RFC 9110, 5.3): neither hides behind the other. */
  private static Map<String, String> headers(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = new HashMap<>();
    if (event.getHeaders() != null) {
      headers.putAll(event.getHeaders());
    }
    if (event.getMultiValueHeaders() != null) {
      event
          .getMultiValueHeaders()
          .forEach((name, values) -> headers.put(name, String.join(", ", values)));
    }
    return headers;
  }

  private static Map<String, List<String>> query(APIGatewayProxyRequestEvent event) {
    Map<String, List<String>> query = new HashMap<>();
    if (event.getQueryStringParameters() != null) {
      event
          .getQueryStringParameters()
          .forEach((name, value) -> query.put(name, List.of(value == null ? "" : value)));
    }
    if (event.getMultiValueQueryStringParameters() != null) {
      query.putAll(event.getMultiValueQueryStringParameters());
    }
    return query;
  }

  private static byte[] body(APIGatewayProxyRequestEvent event) {
    if (event.getBody() == null) {
      return new byte[0];
    }
    return Boolean.TRUE.equals(event.getIsBase64Encoded())
        ? Base64.getDecoder().decode(event.getBody())
        : event.getBody().getBytes(StandardCharsets.UTF_8);
  }

  private static String address(APIGatewayProxyRequestEvent event) {
    boolean known =
        event.getRequestContext() != null
            && event.getRequestContext().getIdentity() != null
            && event.getRequestContext().getIdentity().getSourceIp() != null;
    return known ? event.getRequestContext().getIdentity().getSourceIp() : "unknown";
  }
}
