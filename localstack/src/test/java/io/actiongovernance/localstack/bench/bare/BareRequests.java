package io.actiongovernance.localstack.bench.bare;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;

/** Answers requests with whether there is an item. */
public final class BareRequests
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  /** The variable that says which requests to AWS an answer takes. */
  public static final String CALLS = BareClients.CALLS;

  private final BareClients clients = BareClients.create();

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, Context context) {
    return new APIGatewayProxyResponseEvent()
        .withStatusCode(200)
        .withBody("{\"found\":" + clients.call(event.getPath()) + "}");
  }
}
