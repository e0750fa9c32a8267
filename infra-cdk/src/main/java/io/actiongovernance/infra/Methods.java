package io.actiongovernance.infra;

import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.Route;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnResource;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnMethod;

/** Paths and methods of the API in one stack. */
final class Methods {
  /**
   * Stands for every method that has no route of its own, so that it is answered in the contract's
   * form.
   */
  private static final String ANY = "ANY";

  private final Stack stack;
  private final Names names;
  private final String apiId;

  /** The identifiers of the paths, including those of other stacks. */
  private final Map<String, String> paths;

  /** The paths for which this stack also answers all methods without a route. */
  private final List<String> own = new ArrayList<>();

  private final List<CfnResource> parts = new ArrayList<>();
  private final List<String> fingerprint = new ArrayList<>();

  /**
   * @param known the identifiers of existing paths
   */
  Methods(Stack stack, Environment environment, String apiId, Map<String, String> known) {
    this.stack = stack;
    this.names = new Names(environment);
    this.apiId = apiId;
    this.paths = new TreeMap<>(known);
    Reasons.giveAll(
        stack,
        "AwsSolutions-APIG4",
        "The functions authenticate: by API keys of their own, first thing in each request.");
    Reasons.giveAll(stack, "AwsSolutions-COG4", "Callers are systems with API keys, not users.");
  }

  /** The resources here on which the API's deployment depends. */
  List<CfnResource> parts() {
    return parts;
  }

  /** A description of these resources. A different text means that the API has changed. */
  List<String> fingerprint() {
    return fingerprint;
  }

  /**
   * Returns the identifier of a path. If the path or the paths above it do not exist, they are
   * created.
   */
  String path(String path) {
    String known = paths.get(path);
    if (known != null) {
      return known;
    }
    int last = path.lastIndexOf('/');
    var made =
        software.amazon.awscdk.services.apigateway.CfnResource.Builder.create(
                stack, "Path" + Names.logical(path))
            .restApiId(apiId)
            .parentId(path(path.substring(0, last)))
            .pathPart(path.substring(last + 1))
            .build();
    paths.put(path, made.getRef());
    own.add(path);
    return made.getRef();
  }

  void add(Route route) {
    if (route.streams()) {
      streamed(route);
    } else {
      method(route.path(), route.method().name(), route.operation());
    }
  }

  /** Adds the methods of the console; one function answers all of its paths. */
  void addConsole() {
    Console.PATHS.forEach(path -> method(path, "GET", Console.FUNCTION));
  }

  /** Answers all other methods of the paths created here, and of the given paths. */
  void answerTheRest(List<String> besides) {
    own.addAll(besides);
    own.stream().sorted().forEach(path -> method(path, ANY, RoutesStack.UNKNOWN));
  }

  private void method(String path, String method, String function) {
    method(path, method, function, invocation(function), RoutesStack.LONGEST_REQUEST);
  }

  /** A method that streams the function's response to the client. */
  private void streamed(Route route) {
    CfnMethod made =
        method(
            route.path(),
            route.method().name(),
            route.operation(),
            streamedInvocation(route.operation()),
            RoutesStack.LONGEST_STREAM);
    made.addPropertyOverride("Integration.ResponseTransferMode", "STREAM");
    fingerprint.add("streamed");
  }

  private CfnMethod method(
      String path, String method, String function, String invocation, Duration timeout) {
    CfnMethod made =
        CfnMethod.Builder.create(
                stack, Names.logical(function) + (isOfOnePath(method, function) ? "" : path))
            .restApiId(apiId)
            .resourceId(path(path))
            .httpMethod(method)
            .authorizationType("NONE")
            .integration(
                CfnMethod.IntegrationProperty.builder()
                    .type("AWS_PROXY")
                    .integrationHttpMethod("POST")
                    .uri(invocation)
                    .timeoutInMillis(timeout.toMillis())
                    .build())
            .build();
    parts.add(made);
    fingerprint.add(method + " " + path + " " + function + " " + timeout);
    return made;
  }

  /** Returns whether the function's name alone identifies its method. */
  private static boolean isOfOnePath(String method, String function) {
    return !method.equals(ANY) && !function.equals(Console.FUNCTION);
  }

  private String invocation(String operation) {
    return "arn:%s:apigateway:%s:lambda:path/2015-03-31/functions/%s/invocations"
        .formatted(Aws.PARTITION, Aws.REGION, names.invokedArn(names.ofRoute(operation)));
  }

  private String streamedInvocation(String function) {
    return "arn:%s:apigateway:%s:lambda:path/2021-11-15/functions/%s/response-streaming-invocations"
        .formatted(Aws.PARTITION, Aws.REGION, names.invokedArn(function));
  }
}
