package io.actiongovernance.infra;

import io.actiongovernance.functions.Deployed;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.FactRule;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.json.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.apigateway.CfnResource;
import software.amazon.awscdk.services.apigateway.CfnRestApi;
import software.amazon.awscdk.services.events.CfnEventBus;
import software.amazon.awscdk.services.events.CfnRule;
import software.amazon.awscdk.services.lambda.CfnPermission;
import software.constructs.Construct;

/**
 * The work behind the API: the bus and its rules, and the functions of {@link Trigger} with their
 * event sources. It also contains the API itself, still without paths, because every function needs
 * its address.
 */
final class ServiceStack extends Stack {
  /** Permits TLS 1.2 or newer, with current ciphers. */
  static final String SECURITY_POLICY = "SecurityPolicy_TLS13_1_2_2021_06";

  private final Environment environment;
  private final Names names;
  private final CfnRestApi api;
  private final CfnResource version;
  private final FunctionMaker functions;
  private final KeysStack keys;

  ServiceStack(
      Construct scope,
      Environment environment,
      DataStack data,
      QueuesStack queuesStack,
      KeysStack keys,
      Path zip) {
    super(
        scope,
        environment.prefix() + "-service",
        environment
            .stack()
            .description("Action Governance Service: facts and the functions behind them")
            .build());
    this.environment = environment;
    this.names = new Names(environment);
    addStackDependency(data);
    addStackDependency(keys);
    addStackDependency(queuesStack);
    this.api =
        CfnRestApi.Builder.create(this, "Api")
            .name(environment.prefix())
            .description("Action Governance Service")
            .securityPolicy(SECURITY_POLICY)
            .endpointAccessMode("BASIC")
            // With its own domain name, the API is reachable only by that name.
            .disableExecuteApiEndpoint(environment.domain() != null)
            // Bodies reach the functions byte for byte.
            .binaryMediaTypes(List.of("*/*"))
            .endpointConfiguration(
                CfnRestApi.EndpointConfigurationProperty.builder()
                    .types(List.of("REGIONAL"))
                    .build())
            .build();
    Reasons.give(
        api,
        "AwsSolutions-APIG2",
        "The functions check requests, and answer bad ones in the contract's form.");
    this.version =
        CfnResource.Builder.create(this, "PathV1")
            .restApiId(apiId())
            .parentId(apiRoot())
            .pathPart(ApiStack.VERSION.substring(1))
            .build();
    Queues queues = queuesStack.queues();
    facts(queues);
    this.keys = keys;
    this.functions = new FunctionMaker(this, environment, baseUrl(), keys, zip);
    if (environment.readiness().gradual()) {
      Rollout.application(this, environment);
    }
    EventSources sources = new EventSources(this, environment, data, queues);
    for (Trigger trigger : environment.triggers()) {
      Binding binding = trigger.binding();
      String functionArn =
          functions.make(
              binding.function(),
              Deployed.handlerOf(trigger),
              binding.timeout(),
              trigger.memory(),
              trigger.rights(),
              sources.receiving(binding));
      sources.start(binding, functionArn);
    }
    CfnOutput.Builder.create(this, "BaseUrl").value(baseUrl()).build();
    CfnOutput.Builder.create(this, "CreateTenantFunction")
        .value(names.invoked(Trigger.CREATE_TENANT.binding().function()))
        .build();
    if (environment.emulator() != null) {
      // This function needs a key, so it shows the deployer whether functions have theirs.
      CfnOutput.Builder.create(this, "ListPlansFunction")
          .value(names.invoked(names.ofRoute(PlanRoutes.LIST_PLANS.operation())))
          .build();
    }
  }

  KeysStack keys() {
    return keys;
  }

  /** The service root, to which every path of the contract is appended. */
  String baseUrl() {
    Emulator emulator = environment.emulator();
    if (emulator != null) {
      return emulator.baseUrl(api.getRef());
    }
    Domain domain = environment.domain();
    return domain != null
        ? "https://" + domain.name()
        : "https://%s.execute-api.%s.%s/%s"
            .formatted(api.getRef(), Aws.REGION, Aws.URL_SUFFIX, ApiStack.STAGE);
  }

  List<String> functions() {
    return functions.made();
  }

  String apiId() {
    return api.getRef();
  }

  String apiRoot() {
    return api.getAttrRootResourceId();
  }

  /**
   * The path above nearly all routes. It is in the stack of the API itself, because the stacks of
   * all groups add to it.
   */
  String versionPath() {
    return version.getRef();
  }

  private void facts(Queues queues) {
    CfnEventBus bus =
        CfnEventBus.Builder.create(this, "Facts")
            .name(FactRule.busName(environment.prefix()))
            .build();
    for (FactRule rule : FactRule.ofBus()) {
      CfnRule made =
          CfnRule.Builder.create(this, Names.logical(rule.wireName("rule")))
              .name(rule.wireName(environment.prefix()))
              .eventBusName(bus.getRef())
              .eventPattern(Json.read(rule.pattern(), Map.class))
              .targets(
                  List.of(
                      CfnRule.TargetProperty.builder()
                          .id("queue")
                          .arn(queues.arn(rule.queue()))
                          .inputPath("$.detail")
                          .sqsParameters(
                              CfnRule.SqsParametersProperty.builder()
                                  .messageGroupId(FactRule.GROUP)
                                  .build())
                          .deadLetterConfig(
                              CfnRule.DeadLetterConfigProperty.builder()
                                  .arn(queues.arn(Queue.FAILED_FACTS))
                                  .build())
                          .build()))
              .build();
      made.addResourceDependency(queues.policy(rule.queue()));
      made.addResourceDependency(queues.policy(Queue.FAILED_FACTS));
    }
  }

  /** Permits an AWS service to invoke a function on behalf of one resource. */
  static void permit(Stack stack, String id, String functionArn, String service, String sourceArn) {
    CfnPermission.Builder.create(stack, id)
        .action("lambda:InvokeFunction")
        .functionName(functionArn)
        .principal(service)
        .sourceArn(sourceArn)
        .build();
  }
}
