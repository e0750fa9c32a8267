package io.actiongovernance.functions;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.route.PackagedFunction;
import io.actiongovernance.functions.wiring.Wiring;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Handles all requests: those to routes and unknown paths, and those to the console that the
 * gateway does not route elsewhere. Thread-safe.
 */
public final class Requests
    implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
  private final PackagedFunction packaged;
  private final ApiFunction api;

  public Requests(Wiring wiring) {
    URI baseUrl = wiring.settings().baseUrl();
    this.packaged = new PackagedFunction(new Console(baseUrl), baseUrl, wiring.ids());
    this.api = new ApiFunction(wiring, Routes.all());
  }

  @Override
  public APIGatewayProxyResponseEvent handleRequest(
      APIGatewayProxyRequestEvent event, @Nullable Context context) {
    return packaged.answer(event, context).orElseGet(() -> api.handleRequest(event, context));
  }
}
