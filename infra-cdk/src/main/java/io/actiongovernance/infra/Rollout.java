package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;

import io.actiongovernance.functions.event.EventRoutes;
import io.actiongovernance.functions.mcp.McpRoutes;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.trigger.Trigger;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awscdk.CfnCodeDeployLambdaAliasUpdate;
import software.amazon.awscdk.CfnResource;
import software.amazon.awscdk.CfnUpdatePolicy;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;
import software.amazon.awscdk.services.codedeploy.CfnApplication;
import software.amazon.awscdk.services.codedeploy.CfnDeploymentGroup;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.lambda.CfnAlias;
import software.amazon.awscdk.services.logs.CfnLogGroup;
import software.amazon.awscdk.services.logs.CfnMetricFilter;

/**
 * Gradual rollout of the functions that all governed work passes through. A new version receives a
 * tenth of the alias's invocations for five minutes, then all. If logged errors increase during
 * that time, the alias goes back, and the deployment fails.
 */
final class Rollout {
  /** Functions that take in events and agents' messages, propose, approve, execute and relay. */
  static final Set<String> FUNCTIONS =
      Set.of(
          EventRoutes.INGEST_EVENT.operation(),
          McpRoutes.SEND_MESSAGE.operation(),
          PlanRoutes.APPROVE_PLAN.operation(),
          Trigger.PROPOSE.binding().function(),
          Trigger.EXECUTE_ACTION.binding().function(),
          Trigger.RELAY_STATE.binding().function(),
          Trigger.RELAY_OUTCOMES.binding().function());

  private static final String CANARY = "CodeDeployDefault.LambdaCanary10Percent5Minutes";

  /**
   * The most faults, in percent of a minute's invocations. A version that always fails exceeds this
   * with a tenth of the invocations.
   */
  private static final int MOST_FAULTS = 5;

  /** The metric of a function's log lines at level error. */
  private static final String FAULTS = "Faults";

  private static final String ROLE = "rollout";
  private static final String ROLE_ID = "RolloutRole";
  private static final String APPLICATION = "Rollout";

  private Rollout() {}

  /** Returns whether the function is rolled out gradually. */
  static boolean isFor(Environment environment, String function) {
    return environment.readiness().gradual() && FUNCTIONS.contains(function);
  }

  /** Creates the shared application, and the role that moves aliases. */
  static void application(Stack stack, Environment environment) {
    Names names = new Names(environment);
    CfnApplication.Builder.create(stack, APPLICATION)
        .applicationName(environment.prefix())
        .computePlatform("Lambda")
        .build();
    List<String> functions =
        FUNCTIONS.stream()
            .sorted()
            .flatMap(
                name -> List.of(names.functionArn(name), names.functionArn(name) + ":*").stream())
            .toList();
    CfnRole role =
        CfnRole.Builder.create(stack, ROLE_ID)
            .roleName(names.role(ROLE))
            .assumeRolePolicyDocument(Statements.assumedBy("codedeploy.amazonaws.com"))
            .policies(
                List.of(
                    CfnRole.PolicyProperty.builder()
                        .policyName("needs")
                        .policyDocument(
                            Statements.document(
                                List.of(
                                    allow(
                                        Inexact.WATCH_ALARMS.sid(),
                                        List.of("cloudwatch:DescribeAlarms"),
                                        List.of("*")),
                                    allow(
                                        Inexact.MOVE_ALIASES.sid(),
                                        List.of(
                                            "lambda:GetAlias",
                                            "lambda:UpdateAlias",
                                            "lambda:GetProvisionedConcurrencyConfig"),
                                        functions))))
                        .build()))
            .build();
    Inexact.WATCH_ALARMS.giveReason(role);
    Inexact.MOVE_ALIASES.giveReason(role);
  }

  /** Makes the alias move gradually. */
  static void of(
      Stack stack, Environment environment, String function, CfnAlias alias, CfnLogGroup logs) {
    Names names = new Names(environment);
    String id = Names.logical(function);
    CfnAlarm alarm = alarm(stack, names, environment, function, logs);
    CfnDeploymentGroup group =
        CfnDeploymentGroup.Builder.create(stack, id + "Rollout")
            .applicationName(environment.prefix())
            .deploymentGroupName(function)
            .serviceRoleArn(names.roleArn(ROLE))
            .deploymentConfigName(CANARY)
            .deploymentStyle(
                CfnDeploymentGroup.DeploymentStyleProperty.builder()
                    .deploymentType("BLUE_GREEN")
                    .deploymentOption("WITH_TRAFFIC_CONTROL")
                    .build())
            .alarmConfiguration(
                CfnDeploymentGroup.AlarmConfigurationProperty.builder()
                    .enabled(true)
                    .alarms(
                        List.of(
                            CfnDeploymentGroup.AlarmProperty.builder()
                                .name(alarm.getRef())
                                .build()))
                    .build())
            .autoRollbackConfiguration(
                CfnDeploymentGroup.AutoRollbackConfigurationProperty.builder()
                    .enabled(true)
                    .events(
                        List.of(
                            "DEPLOYMENT_FAILURE",
                            "DEPLOYMENT_STOP_ON_ALARM",
                            "DEPLOYMENT_STOP_ON_REQUEST"))
                    .build())
            .build();
    // Depend on the shared resources if they are in this stack; for other stacks they already
    // exist.
    for (String shared : List.of(APPLICATION, ROLE_ID)) {
      if (stack.getNode().tryFindChild(shared) instanceof CfnResource before) {
        group.addResourceDependency(before);
      }
    }
    // The reference to the group makes CloudFormation create and move the alias after the group.
    alias
        .getCfnOptions()
        .setUpdatePolicy(
            CfnUpdatePolicy.builder()
                .codeDeployLambdaAliasUpdate(
                    CfnCodeDeployLambdaAliasUpdate.builder()
                        .applicationName(environment.prefix())
                        .deploymentGroupName(group.getRef())
                        .build())
                .build());
  }

  /**
   * An alarm that goes off if faults exceed a small share of a minute's invocations. The service's
   * own faults are not errors of the function, because it answers or retries, so the alarm counts
   * log lines at level error.
   */
  private static CfnAlarm alarm(
      Stack stack, Names names, Environment environment, String function, CfnLogGroup logs) {
    String id = Names.logical(function);
    String faults = FAULTS + "-" + names.function(function);
    CfnMetricFilter.Builder.create(stack, id + FAULTS)
        .logGroupName(logs.getRef())
        .filterPattern("{ $.level = \"ERROR\" }")
        .metricTransformations(
            List.of(
                CfnMetricFilter.MetricTransformationProperty.builder()
                    .metricNamespace(Metrics.NAMESPACE)
                    .metricName(faults)
                    .metricValue("1")
                    .build()))
        .build();
    String name = names.function(function);
    @Nullable List<String> tickets =
        environment.alarms() ? List.of(Names.regional("sns", names.ticketTopic())) : null;
    return Ratio.alarm(
            stack, "Alarm" + id + "Rollout", environment.prefix() + "-rollout-" + function)
        .metrics(
            Ratio.of(
                List.of(
                    Ratio.sum("faults", Metrics.NAMESPACE, faults, Map.of()),
                    Ratio.sum("errors", "AWS/Lambda", "Errors", Map.of("FunctionName", name))),
                List.of(
                    Ratio.sum("all", "AWS/Lambda", "Invocations", Map.of("FunctionName", name)))))
        .threshold(MOST_FAULTS)
        // A fixed name, because the topic is created in a later stack.
        .alarmActions(tickets)
        .okActions(tickets)
        .build();
  }
}
