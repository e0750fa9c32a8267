package io.actiongovernance.infra;

import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.console.Console;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.CfnResource;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.StackProps;
import software.amazon.awscdk.services.apigateway.CfnBasePathMapping;
import software.amazon.awscdk.services.apigateway.CfnDeployment;
import software.amazon.awscdk.services.apigateway.CfnDomainName;
import software.amazon.awscdk.services.apigateway.CfnMethod;
import software.amazon.awscdk.services.apigateway.CfnStage;
import software.constructs.Construct;

/**
 * The API as {@link Route} has it: paths, methods, and what the gateway itself answers. Deployed
 * last, so that a new route is only reachable once its function is there.
 */
final class ApiStack extends Stack {
  /** The name of the only stage, which the service root ends in. */
  static final String STAGE = "live";

  /** Every method without a route of its own, so that it is answered in the contract's form. */
  private static final String ANY = "ANY";

  private final Names names;
  private final String apiId;
  private final Map<String, String> resources = new TreeMap<>();
  private final List<CfnResource> parts = new ArrayList<>();
  private final List<String> fingerprint = new ArrayList<>();

  ApiStack(Construct scope, Environment environment, ServiceStack service, RoutesStack functions) {
    super(
        scope,
        environment.prefix() + "-api",
        StackProps.builder()
            .synthesizer(environment.synthesizer())
            .description("Action Governance Service: paths and methods of the API")
            .build());
    addStackDependency(functions);
    this.names = new Names(environment.prefix());
    this.apiId = service.apiId();
    resources.put("", service.apiRoot());
    for (Route route : Routes.all()) {
      if (!has(route, environment)) {
        continue;
      }
      if (route.streams()) {
        streamed(route);
      } else {
        method(route.path(), route.method().name(), route.operation());
      }
    }
    for (String path : Console.PATHS) {
      method(path, "GET", Console.FUNCTION);
    }
    resource("/{proxy+}");
    for (String path : List.copyOf(resources.keySet())) {
      method(path, ANY, RoutesStack.UNKNOWN);
    }
    for (GatewayResponse response : GatewayResponse.values()) {
      parts.add(response.make(this, apiId, service.baseUrl()));
      fingerprint.add(response.describe());
    }
    Domain domain = environment.domain();
    // By another name it has other links, and another address is closed.
    fingerprint.add("at " + (domain == null ? "" : domain.name()));
    CfnStage stage = stage(environment, deployment());
    if (environment.firewall()) {
      Firewall.before(stage, apiId, this, environment);
    } else {
      Reasons.give(stage, "AwsSolutions-APIG3", "The environment has no firewall.");
    }
    if (domain != null) {
      reachedBy(domain, stage);
    }
    Reasons.giveAll(
        this,
        "AwsSolutions-APIG4",
        "The functions authenticate: by API keys of their own, first thing in each request.");
    Reasons.giveAll(this, "AwsSolutions-COG4", "Callers are systems with API keys, not users.");
  }

  /** Whether the environment has the route: not where the gateway cannot stream. */
  static boolean has(Route route, Environment environment) {
    return !route.streams() || environment.emulator() == null;
  }

  private String resource(String path) {
    String known = resources.get(path);
    if (known != null) {
      return known;
    }
    int last = path.lastIndexOf('/');
    var made =
        software.amazon.awscdk.services.apigateway.CfnResource.Builder.create(
                this, "Path" + Names.logical(path))
            .restApiId(apiId)
            .parentId(resource(path.substring(0, last)))
            .pathPart(path.substring(last + 1))
            .build();
    resources.put(path, made.getRef());
    return made.getRef();
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
                this, Names.logical(function) + (ofOnePath(method, function) ? "" : path))
            .restApiId(apiId)
            .resourceId(resource(path))
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
  private static boolean ofOnePath(String method, String function) {
    return !method.equals(ANY) && !function.equals(Console.FUNCTION);
  }

  private String invocation(String function) {
    return "arn:%s:apigateway:%s:lambda:path/2015-03-31/functions/%s/invocations"
        .formatted(Aws.PARTITION, Aws.REGION, names.invokedArn(function));
  }

  private String streamedInvocation(String function) {
    return "arn:%s:apigateway:%s:lambda:path/2021-11-15/functions/%s/response-streaming-invocations"
        .formatted(Aws.PARTITION, Aws.REGION, names.invokedArn(function));
  }

  /** A deployment is a picture of the API: another API needs another one. */
  private CfnDeployment deployment() {
    String version = CanonicalJson.sha256(Json.tree(fingerprint)).substring(0, 12);
    CfnDeployment deployment =
        CfnDeployment.Builder.create(this, "Deployment" + version).restApiId(apiId).build();
    parts.forEach(deployment::addResourceDependency);
    return deployment;
  }

  private CfnStage stage(Environment environment, CfnDeployment deployment) {
    GatewayLogs logs = new GatewayLogs(this, environment, apiId);
    CfnStage stage =
        CfnStage.Builder.create(this, "Stage")
            .restApiId(apiId)
            .stageName(STAGE)
            .deploymentId(deployment.getRef())
            .accessLogSetting(logs.setting())
            .tracingEnabled(environment.traced())
            .methodSettings(
                List.of(
                    CfnStage.MethodSettingProperty.builder()
                        .httpMethod("*")
                        .resourcePath("/*")
                        .metricsEnabled(true)
                        .loggingLevel("ERROR")
                        .dataTraceEnabled(false)
                        .throttlingRateLimit(environment.requestsPerSecond())
                        .throttlingBurstLimit(environment.requestsPerSecond())
                        .build()))
            .build();
    stage.addResourceDependency(logs.permission());
    return stage;
  }

  /** The API under a name of its own; where that name leads to is the account's business. */
  private void reachedBy(Domain domain, CfnStage stage) {
    CfnDomainName name =
        CfnDomainName.Builder.create(this, "Domain")
            .domainName(domain.name())
            .regionalCertificateArn(domain.certificate())
            .endpointConfiguration(
                CfnDomainName.EndpointConfigurationProperty.builder()
                    .types(List.of("REGIONAL"))
                    .build())
            .securityPolicy(ServiceStack.SECURITY_POLICY)
            .endpointAccessMode("BASIC")
            .build();
    CfnBasePathMapping.Builder.create(this, "DomainMapping")
        .domainName(name.getRef())
        .restApiId(apiId)
        .stage(stage.getRef())
        .build();
    CfnOutput.Builder.create(this, "DomainTarget").value(name.getAttrRegionalDomainName()).build();
    CfnOutput.Builder.create(this, "DomainTargetZone")
        .value(name.getAttrRegionalHostedZoneId())
        .build();
  }
}
