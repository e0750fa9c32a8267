package io.actiongovernance.localstack;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.Wiring;
import io.actiongovernance.functions.route.ApiFunction;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * What runs on a stack.
 *
 * @param resources the path templates of the API
 * @param api the function that answers every request; what no resource matches comes with a null
 *     resource
 * @param timeout how long a request may take
 * @param triggers the functions that are not HTTP
 */
public record Service(
    List<String> resources,
    Function<Wiring, RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent>> api,
    Duration timeout,
    List<Binding> triggers) {
  /** The longest that API Gateway waits for a function. */
  static final Duration LONGEST_REQUEST = Duration.ofSeconds(29);

  /** The service as it is deployed. */
  public static Service governance() {
    return new Service(
        Arrays.stream(Route.values()).map(Route::path).distinct().toList(),
        ApiFunction::new,
        LONGEST_REQUEST,
        Trigger.bindings());
  }
}
