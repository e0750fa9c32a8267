package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

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

  /**
   * Joins the values of a header that is sent twice, whatever the case of its name. The result is a
   * list (RFC 9110, 5.3), or for cookies, values separated by semicolons (RFC 9113, 8.2.3). No
   * value can then hide behind another.
   */
  private static Map<String, String> headers(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    if (event.getHeaders() != null) {
      headers.putAll(event.getHeaders());
    }
    if (event.getMultiValueHeaders() != null) {
      Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      event
          .getMultiValueHeaders()
          .forEach(
              (name, values) -> all.computeIfAbsent(name, _ -> new ArrayList<>()).addAll(values));
      all.forEach((name, values) -> headers.put(name, joined(name, values)));
    }
    return headers;
  }

  private static String joined(String name, List<String> values) {
    return String.join("Cookie".equalsIgnoreCase(name) ? "; " : ", ", values);
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
