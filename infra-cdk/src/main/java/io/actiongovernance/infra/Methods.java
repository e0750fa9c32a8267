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
  /** Every method without a route of its own, so that it is answered in the contract's form. */
  private static final String ANY = "ANY";

  private final Stack stack;
  private final Names names;
  private final String apiId;

  /** The identifiers of the paths, those of other stacks among them. */
  private final Map<String, String> paths;

  /** The paths whose other methods are answered here. */
  private final List<String> own = new ArrayList<>();

  private final List<CfnResource> parts = new ArrayList<>();
  private final List<String> fingerprint = new ArrayList<>();

  /**
   * @param known the paths that there are already, by their identifiers
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

  /** What the API is a picture of, as far as it is made here. */
  List<CfnResource> parts() {
    return parts;
  }

  /** The same in words: another text is another API. */
  List<String> fingerprint() {
    return fingerprint;
  }

  /** The identifier of a path, which is made with those that it is under if there is none yet. */
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

  /** The method of a route. */
  void add(Route route) {
    if (route.streams()) {
      streamed(route);
    } else {
      method(route.path(), route.method().name(), route.operation());
    }
  }

  /** The methods of the console, all of whose paths one function answers. */
  void addConsole() {
    Console.PATHS.forEach(path -> method(path, "GET", Console.FUNCTION));
  }

  /** All other methods of the paths that were made here, and of these. */
  void answerTheRest(List<String> besides) {
    own.addAll(besides);
    own.stream().sorted().forEach(path -> method(path, ANY, RoutesStack.UNKNOWN));
  }

  private void method(String path, String method, String function) {
    method(path, method, function, invocation(function), RoutesStack.LONGEST_REQUEST);
  }

  /** A method whose response reaches the client as the function writes it. */
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

  /** Whether the function's name says which of its methods it is. */
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
