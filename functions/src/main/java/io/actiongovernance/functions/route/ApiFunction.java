package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.Wiring;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The function behind every route: takes API Gateway's proxy events (REST API) and answers them.
 * Each deployed function gets the events of one route; the one that gets the rest answers that
 * there is no such route. Thread-safe.
 */
public final class ApiFunction
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private final Pipeline pipeline;

  /** For the Lambda runtime. */
  public ApiFunction() {
    this(Wiring.onAws());
  }

  public ApiFunction(Wiring wiring) {
    this.pipeline = new Pipeline(wiring);
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    HttpResponse response = pipeline.answer(request(event));
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(response.status())
        .withHeaders(response.headers())
        .withBody(response.body())
        .withIsBase64Encoded(false);
  }

  private static HttpRequest request(APIGatewayProxyRequestEvent event) {
    return new HttpRequest(
        event.getHttpMethod(),
        event.getResource(),
        event.getPath(),
        headers(event),
        query(event),
        body(event),
        address(event));
  }

  private static Map<String, String> headers(APIGatewayProxyRequestEvent event) {
    Map<String, String> headers = new HashMap<>();
    if (event.getHeaders() != null) {
      headers.putAll(event.getHeaders());
    }
    if (event.getMultiValueHeaders() != null) {
      event.getMultiValueHeaders().forEach((name, values) -> headers.put(name, values.getLast()));
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
