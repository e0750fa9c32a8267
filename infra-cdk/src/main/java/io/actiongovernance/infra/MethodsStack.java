package io.actiongovernance.infra;

import io.actiongovernance.functions.route.Route;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/**
 * The paths and methods of one group of resources. Nobody reaches them before {@link ApiStack}
 * deploys the API.
 */
final class MethodsStack extends Stack {
  private final Methods methods;

  /**
   * @param name what the stack's name ends in
   * @param console whether the console's are among them
   */
  MethodsStack(
      Construct scope,
      Environment environment,
      ServiceStack service,
      String name,
      List<Route> routes,
      boolean console) {
    super(
        scope,
        environment.prefix() + "-" + name,
        environment
            .stack()
            .description("Action Governance Service: paths and methods of a part of the API")
            .build());
    addStackDependency(service);
    this.methods =
        new Methods(
            this,
            environment,
            service.apiId(),
            Map.of("", service.apiRoot(), ApiStack.VERSION, service.versionPath()));
    routes.forEach(methods::add);
    if (console) {
      methods.addConsole();
    }
    methods.answerTheRest(List.of());
  }

  /** What of the API is made here, in words. */
  List<String> fingerprint() {
    return methods.fingerprint();
  }
}
