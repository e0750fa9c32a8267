package io.actiongovernance.localstack;

import com.amazonaws.services.lambda.runtime.Context;
import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.Requests;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The service as it is deployed, one function per route and trigger, each over a wiring of its own:
 * so that what a single function asks of AWS can be refused, counted or disturbed.
 */
public final class PerFunction {
  private PerFunction() {}

  /** Makes the wiring of one function. */
  @FunctionalInterface
  public interface Rewiring {
    /**
     * @param function the operation of a route, the name of a trigger's function, or {@code
     *     unknown} for paths that there are none of
     */
    Wiring of(String function, Rights rights, Wiring wiring);
  }

  /** The deployed service with every function rewired. */
  public static Service service(Rewiring rewiring) {
    Service real = Service.governance();
    List<Binding> triggers = new ArrayList<>();
    for (Trigger trigger : Trigger.values()) {
      Binding binding = trigger.binding();
      triggers.add(
          new Binding(
              binding.function(),
              binding.source(),
              wiring ->
                  binding
                      .handler()
                      .apply(rewiring.of(binding.function(), trigger.rights(), wiring)),
              binding.load()));
    }
    return new Service(
        real.resources(),
        wiring -> new Api(rewiring, wiring),
        real.timeout(),
        real.streams(),
        wiring -> streaming(rewiring, wiring),
        triggers);
  }

  /**
   * The deployed service rewired by kind.
   *
   * @param requests the wiring of the functions that answer requests
   * @param triggers the wiring of all others
   */
  public static Service service(UnaryOperator<Wiring> requests, UnaryOperator<Wiring> triggers) {
    Set<String> triggered =
        Trigger.bindings().stream().map(Binding::function).collect(Collectors.toSet());
    return service(
        (function, rights, wiring) ->
            (triggered.contains(function) ? triggers : requests).apply(wiring));
  }

  /** The function that streams, made when it is first called, like those of the other routes. */
  private static Function<byte[], StreamBody> streaming(Rewiring rewiring, Wiring wiring) {
    Map<Route, StreamFunction> functions = new ConcurrentHashMap<>();
    return event ->
        functions
            .computeIfAbsent(
                EventRoutes.STREAM_EVENTS,
                route ->
                    new StreamFunction(
                        rewiring.of(route.operation(), route.rights(), wiring), Routes.all()))
            .answer(event);
  }

  /** One function per route; the event's type is read from this class. */
  private static final class Api
      implements RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent> {
    private final Map<String, Requests> functions = new ConcurrentHashMap<>();
    private final Rewiring rewiring;
    private final Wiring wiring;

    Api(Rewiring rewiring, Wiring wiring) {
      this.rewiring = rewiring;
      this.wiring = wiring;
    }

    @Override
    public APIGatewayProxyResponseEvent handleRequest(
        APIGatewayProxyRequestEvent event, Context context) {
      Optional<Route> route = route(event);
      String name = route.map(Route::operation).orElse("unknown");
      Rights rights = route.map(Route::rights).orElseGet(Needs::ofUnknownPaths);
      return functions
          .computeIfAbsent(name, _ -> new Requests(rewiring.of(name, rights, wiring)))
          .handleRequest(event, context);
    }

    private static Optional<Route> route(APIGatewayProxyRequestEvent event) {
      return Routes.all().stream()
          .filter(route -> route.path().equals(event.getResource()))
          .filter(route -> route.method().name().equals(event.getHttpMethod()))
          .findFirst();
    }
  }
}
