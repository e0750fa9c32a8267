package io.actiongovernance.localstack.acceptance;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.localstack.Service;
import java.util.function.UnaryOperator;

/** The service as deployed, but on another wiring: what a test puts between it and its services. */
final class RewiredStack {
  private RewiredStack() {}

  /**
   * The service rewired.
   *
   * @param api the wiring of the functions that answer requests
   * @param triggers the wiring of all others
   */
  static Service service(UnaryOperator<Wiring> api, UnaryOperator<Wiring> triggers) {
    Service real = Service.governance();
    return new Service(
        real.resources(),
        wiring -> new Api(new ApiFunction(api.apply(wiring))),
        real.timeout(),
        real.triggers().stream().map(binding -> rewired(binding, triggers)).toList());
  }

  /** The event's type is read from this class. */
  private record Api(ApiFunction function)
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      return function.handleRequest(event, context);
    }
  }

  private static Binding rewired(Binding binding, UnaryOperator<Wiring> wiring) {
    return new Binding(
        binding.function(),
        binding.source(),
        given -> binding.handler().apply(wiring.apply(given)),
        binding.batch(),
        binding.timeout(),
        binding.concurrency());
  }
}
