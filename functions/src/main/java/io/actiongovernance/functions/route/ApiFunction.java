package io.actiongovernance.functions.route;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.telemetry.LogIds;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The function behind every route: takes API Gateway's proxy events (REST API) and answers them.
 * Each deployed function gets the events of one route; the one that gets the rest answers that
 * there is no such route. Thread-safe.
 */
public final class ApiFunction
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private final Pipeline pipeline;

  /**
   * @param routes those that there are; a stream cannot be answered here
   */
  public ApiFunction(Wiring wiring, List<Route> routes) {
    this.pipeline = new Pipeline(wiring, routes, Sessions.NONE, false);
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    try (LogIds ids = LogIds.of(context)) {
      return answer(event, ids);
    }
  }

  private APIGatewayProxyResponseEvent answer(APIGatewayProxyRequestEvent event, LogIds ids) {
    HttpResponse response = pipeline.answer(ProxyRequests.of(event), ids);
    APIGatewayProxyResponseEvent answer =
        new APIGatewayProxyResponseEvent()
            .withStatusCode(response.status())
            .withHeaders(response.headers())
            .withBody(response.text())
            .withIsBase64Encoded(false);
    if (!response.repeated().isEmpty()) {
      answer.setMultiValueHeaders(response.repeated());
    }
    return response.content() instanceof Content.Bytes(byte[] bytes)
        ? answer.withBody(Base64.getEncoder().encodeToString(bytes)).withIsBase64Encoded(true)
        : answer;
  }
}
