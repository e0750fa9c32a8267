package io.actiongovernance.infra;

import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.Routes;
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
 * One function per route, for some of the routes. All have equal code, and each has the rights of
 * its own route. If the environment is lean, one function serves all of these routes, with all
 * their rights.
 */
final class RoutesStack extends Stack {
  /**
   * The suffix of the name of a stack with all functions. If there are several stacks, their
   * suffixes begin with it.
   */
  static final String NAME = "routes";

  /**
   * Answers requests that match no route: those to unknown paths, and other methods of known paths.
   */
  static final String UNKNOWN = "unknown-path";

  /** The function that answers everything if the environment is lean. */
  static final String ALL = "api";

  /** The longest that API Gateway waits for a function. */
  static final Duration LONGEST_REQUEST = Duration.ofSeconds(29);

  /** The longest run of a function, during which API Gateway streams its output. */
  static final Duration LONGEST_STREAM = Duration.ofMinutes(15);

  private final FunctionMaker functions;
  private final String apiId;

  /**
   * The functions in a stack.
   *
   * @param stack the suffix of the stack's name
   * @param unknown whether it contains the function for unknown paths
   * @param console whether it contains the console's function
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
            // With a function per route, only a template without indentation stays far below the
            // limit of 1 MB.
            .suppressTemplateIndentation(true)
            .description("Action Governance Service: one function per route")
            .build());
    addStackDependency(data);
    addStackDependency(service);
    addStackDependency(service.keys());
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
            name, Deployed.Api.class, LONGEST_REQUEST, Routes.memory(name), rights, List.of()),
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
