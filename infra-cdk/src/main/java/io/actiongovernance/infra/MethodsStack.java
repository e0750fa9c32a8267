package io.actiongovernance.infra;

import io.actiongovernance.functions.route.Route;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.constructs.Construct;

/**
 * The paths and methods of one group of resources. They are unreachable until {@link ApiStack}
 * deploys the API.
 */
final class MethodsStack extends Stack {
  private final Methods methods;

  /**
   * @param name the suffix of the stack's name
   * @param console whether it contains the console's paths
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

  /** A description of the API's resources in this stack. */
  List<String> fingerprint() {
    return methods.fingerprint();
  }
}
