package io.actiongovernance.infra;

import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.json.CanonicalJson;
import io.actiongovernance.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.CfnResource;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnBasePathMapping;
import software.amazon.awscdk.services.apigateway.CfnDeployment;
import software.amazon.awscdk.services.apigateway.CfnDomainName;
import software.amazon.awscdk.services.apigateway.CfnStage;
import software.constructs.Construct;

/**
 * The API's entry point: its deployment, its stage, and the gateway's own responses, with the paths
 * and methods that are in no group's stack. It is deployed last, so that a new route is reachable
 * only once its function and its method exist.
 */
final class ApiStack extends Stack {
  /** The suffix of this stack's name, which also begins the suffixes of its parts' names. */
  static final String NAME = "api";

  /** The name of the only stage, at the end of the service root. */
  static final String STAGE = "live";

  /** The path above nearly all routes. */
  static final String VERSION = "/v1";

  private static final String ANYTHING = "/{proxy+}";

  private final String apiId;
  private final List<CfnResource> parts = new ArrayList<>();
  private final List<String> fingerprint = new ArrayList<>();

  /**
   * @param others the stacks of the API's paths and methods
   */
  ApiStack(
      Construct scope, Environment environment, ServiceStack service, List<MethodsStack> others) {
    super(
        scope,
        environment.prefix() + "-" + NAME,
        environment
            .stack()
            .description("Action Governance Service: paths and methods of the API")
            .build());
    this.apiId = service.apiId();
    Methods methods =
        new Methods(
            this,
            environment,
            apiId,
            Map.of("", service.apiRoot(), VERSION, service.versionPath()));
    methods.path(ANYTHING);
    methods.answerTheRest(List.of("", VERSION));
    parts.addAll(methods.parts());
    others.forEach(other -> fingerprint.addAll(other.fingerprint()));
    fingerprint.addAll(methods.fingerprint());
    for (GatewayResponse response : GatewayResponse.values()) {
      parts.add(response.make(this, apiId, service.baseUrl()));
      fingerprint.add(response.describe());
    }
    Domain domain = environment.domain();
    // A new domain name changes the links and closes the other address.
    fingerprint.add("at " + (domain == null ? "" : domain.name()));
    CfnStage stage = stage(environment, deployment());
    if (environment.firewall()) {
      Firewall.before(stage, apiId, service.baseUrl(), this, environment);
    } else {
      Reasons.give(stage, "AwsSolutions-APIG3", "The environment has no firewall.");
    }
    if (domain != null) {
      reachedBy(domain, stage);
    }
  }

  /**
   * Returns whether the environment has the route. Routes that stream are absent if the gateway
   * cannot stream.
   */
  static boolean has(Route route, Environment environment) {
    return !route.streams() || environment.emulator() == null;
  }

  /** A deployment is a snapshot of the API, so a changed API needs a new one. */
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
                    setting(environment, "*", "/*", false),
                    setting(
                        environment,
                        PlanRoutes.APPROVE_PLAN.method().name(),
                        "/" + PlanRoutes.APPROVE_PLAN.path().replace("/", "~1"),
                        true)))
            .build();
    stage.addResourceDependency(logs.permission());
    return stage;
  }

  /**
   * @param metered whether the method has metrics of its own, which cost money. The metrics of the
   *     whole API are free, and only those of approvals have an alarm.
   */
  private static CfnStage.MethodSettingProperty setting(
      Environment environment, String method, String path, boolean metered) {
    return CfnStage.MethodSettingProperty.builder()
        .httpMethod(method)
        .resourcePath(path)
        .metricsEnabled(metered)
        .loggingLevel("ERROR")
        .dataTraceEnabled(false)
        .throttlingRateLimit(environment.requestsPerSecond())
        .throttlingBurstLimit(environment.requestsPerSecond())
        .build();
  }

  /** Makes the API reachable under its own name. Routing that name to it is up to the account. */
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
