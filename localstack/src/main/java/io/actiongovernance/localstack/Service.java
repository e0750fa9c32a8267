package io.actiongovernance.localstack;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyRequestEvent;
import com.amazonaws.services.lambda.runtime.events.APIGatewayProxyResponseEvent;
import io.actiongovernance.functions.Requests;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.route.StreamBody;
import io.actiongovernance.functions.route.StreamFunction;
import io.actiongovernance.functions.settings.Settings;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.functions.wiring.Wiring;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The routes and functions of a stack.
 *
 * @param resources the path templates of the API
 * @param api the function that answers every request; if no resource matches, the event's resource
 *     is null
 * @param timeout longest duration of a request
 * @param streams the path templates whose GET requests are answered with a stream
 * @param stream the function that answers those; it limits its own duration
 * @param triggers the functions that are not started by HTTP requests
 */
public record Service(
    List<String> resources,
    Function<Wiring, RequestHandler<APIGatewayProxyRequestEvent, APIGatewayProxyResponseEvent>> api,
    Duration timeout,
    Set<String> streams,
    Function<Wiring, Function<byte[], StreamBody>> stream,
    List<Binding> triggers) {
  /** Longest time that API Gateway waits for a function. */
  static final Duration LONGEST_REQUEST = Duration.ofSeconds(29);

  /** The service as it is deployed. */
  public static Service governance() {
    return new Service(
        Stream.concat(Routes.all().stream().map(Route::path).distinct(), Console.PATHS.stream())
            .toList(),
        Requests::new,
        LONGEST_REQUEST,
        Routes.all().stream().filter(Route::streams).map(Route::path).collect(Collectors.toSet()),
        wiring -> new StreamFunction(wiring, Routes.all())::answer,
        Trigger.bindings());
  }

  /**
   * Returns the functions that are not started by HTTP requests and that exist under these
   * settings.
   */
  List<Binding> triggersUnder(Settings settings) {
    Set<String> there =
        Trigger.of(settings).stream()
            .map(trigger -> trigger.binding().function())
            .collect(Collectors.toSet());
    Set<String> known =
        Trigger.bindings().stream().map(Binding::function).collect(Collectors.toSet());
    return triggers.stream()
        .filter(
            binding -> there.contains(binding.function()) || !known.contains(binding.function()))
        .toList();
  }

  /**
   * Returns this service without the functions that changes of this table start, for stacks that
   * are filled with much data.
   */
  public Service withoutRelayOf(Table quiet) {
    return new Service(
        resources,
        api,
        timeout,
        streams,
        stream,
        triggers.stream()
            .filter(
                binding ->
                    !(binding.source() instanceof Changes(Table table, var _, var _)
                        && table == quiet))
            .toList());
  }
}
