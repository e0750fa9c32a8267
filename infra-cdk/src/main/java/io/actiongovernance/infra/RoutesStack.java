package io.actiongovernance.infra;

import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.rights.Needs;
import io.actiongovernance.functions.rights.Rights;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.runtime.StreamRuntime;
import io.actiongovernance.functions.settings.Memory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/**
 * One function per route, of some of the routes: the same code, each under the rights of its own
 * route. Where the environment is lean it is one for all of them, which may do what any of them
 * may.
 */
final class RoutesStack extends Stack {
  /** What the name of a stack of all functions ends in, and what begins the ends of several. */
  static final String NAME = "routes";

  /** The function that answers what is no route. */
  static final String UNKNOWN = "unknown-path";

  /** The function that answers everything where the environment is lean. */
  static final String ALL = "api";

  /** The longest that API Gateway waits for a function. */
  static final Duration LONGEST_REQUEST = Duration.ofSeconds(29);

  /** The longest that a function may run, and API Gateway streams what it writes. */
  static final Duration LONGEST_STREAM = Duration.ofMinutes(15);

  private final Environment environment;
  private final FunctionMaker functions;
  private final String apiId;

  /**
   * Which functions are in a stack.
   *
   * @param stack what its name ends in
   * @param unknown whether the function that answers what is no route is one of them
   * @param console whether the console's is
   */
  record Held(String stack, List<Route> routes, boolean unknown, boolean console) {
    Held {
      routes = List.copyOf(routes);
    }
  }

  RoutesStack(
      Construct scope,
      Environment environment,
      DataStack data,
      ServiceStack service,
      Path zip,
      Held held) {
    super(
        scope,
        environment.prefix() + "-" + held.stack(),
        environment
            .stack()
            // A function per route: without its indentation the template is far from the 1 MB it
            // may have.
            .suppressTemplateIndentation(true)
            .description("Action Governance Service: one function per route")
            .build());
    addStackDependency(data);
    addStackDependency(service);
    addStackDependency(service.keys());
    this.environment = environment;
    this.functions = new FunctionMaker(this, environment, service.baseUrl(), service.keys(), zip);
    this.apiId = service.apiId();
    if (environment.isLean()) {
      Rights all =
          held.routes().stream().map(Route::rights).reduce(Needs.ofUnknownPaths(), Rights::and);
      function(ALL, all, "*");
      return;
    }
    for (Route route : held.routes()) {
      String requests = route.method().name() + route.path().replaceAll("\\{[^}]+}", "*");
      if (route.streams()) {
        streamed(route.operation(), route.rights(), requests);
      } else {
        function(route.operation(), route.rights(), requests);
      }
    }
    if (held.unknown()) {
      function(UNKNOWN, Needs.ofUnknownPaths(), "*");
    }
    if (held.console()) {
      console();
    }
  }

  /** The functions that are in it, by name. */
  List<String> functions() {
    return functions.made();
  }

  private void console() {
    permit(
        Console.FUNCTION,
        functions.make(
            Console.FUNCTION,
            Deployed.Packaged.class,
            LONGEST_REQUEST,
            Memory.WHOLE_PROCESSOR,
            Rights.NONE,
            List.of()),
        "GET/console*");
  }

  private void function(String name, Rights rights, String requests) {
    permit(
        name,
        functions.make(
            name,
            Deployed.Api.class,
            LONGEST_REQUEST,
            EmergencyStop.memory(environment, name),
            rights,
            List.of()),
        requests);
  }

  private void streamed(String name, Rights rights, String requests) {
    permit(name, functions.streamed(name, StreamRuntime.class, LONGEST_STREAM, rights), requests);
  }

  private void permit(String name, String functionArn, String requests) {
    ServiceStack.permit(
        this,
        Names.logical(name) + "Permission",
        functionArn,
        "apigateway.amazonaws.com",
        Names.regional("execute-api", apiId + "/" + ApiStack.STAGE + "/" + requests));
  }
}
