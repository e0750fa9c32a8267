package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.allow;
import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.route.StayAwake;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.iam.CfnRole;
import software.amazon.awscdk.services.scheduler.CfnSchedule;
import software.amazon.awscdk.services.scheduler.CfnScheduleGroup;
import software.constructs.Construct;

/**
 * Invokes each function once a day with an event that has no effect ({@link StayAwake}). Lambda
 * deactivates a version's snapshot after 14 days without an invocation, and then fails the next
 * caller. The role that invokes the functions cannot create a tenant.
 */
final class AwakeStack extends Stack {
  /** The time over which the invocations are spread, in minutes. */
  private static final int WINDOW_MINUTES = 240;

  private static final String DAILY = "cron(0 1 * * ? *)";

  /** The longest time for retries of an undelivered invocation. */
  private static final int OLDEST_SECONDS = 3_600;

  /**
   * @param functions the names of all functions
   */
  AwakeStack(Construct scope, Environment environment, List<String> functions) {
    super(
        scope,
        environment.prefix() + "-awake",
        environment
            .stack()
            .suppressTemplateIndentation(true)
            .description("Action Governance Service: each function is invoked once a day")
            .build());
    Names names = new Names(environment);
    CfnRole role = role(names);
    CfnScheduleGroup group =
        CfnScheduleGroup.Builder.create(this, "StayAwake").name(environment.prefix()).build();
    for (String function : functions) {
      if (EmergencyStop.isKeptAwake(function)) {
        CfnSchedule.Builder.create(this, Names.logical(function) + "Awake")
            .name(function)
            .groupName(group.getRef())
            .scheduleExpression(DAILY)
            .flexibleTimeWindow(
                CfnSchedule.FlexibleTimeWindowProperty.builder()
                    .mode("FLEXIBLE")
                    .maximumWindowInMinutes(WINDOW_MINUTES)
                    .build())
            .target(
                CfnSchedule.TargetProperty.builder()
                    .arn(names.invokedArn(function))
                    .roleArn(role.getAttrArn())
                    .input(StayAwake.EVENT)
                    .retryPolicy(
                        CfnSchedule.RetryPolicyProperty.builder()
                            .maximumEventAgeInSeconds(OLDEST_SECONDS)
                            .maximumRetryAttempts(3)
                            .build())
                    .build())
            .build();
      }
    }
  }

  private CfnRole role(Names names) {
    Map<String, Object> refused =
        ordered(
            "Sid",
            "NeverDoesWhatPeopleDo",
            "Effect",
            "Deny",
            "Action",
            "lambda:InvokeFunction",
            "Resource",
            EmergencyStop.OF_PEOPLE.stream()
                .map(names::functionArn)
                .flatMap(arn -> Stream.of(arn, arn + ":*"))
                .toList());
    CfnRole role =
        CfnRole.Builder.create(this, "StayAwakeRole")
            .roleName(names.role("stay-awake"))
            .assumeRolePolicyDocument(Statements.assumedBy("scheduler.amazonaws.com"))
            .policies(
                List.of(
                    CfnRole.PolicyProperty.builder()
                        .policyName("needs")
                        .policyDocument(
                            Statements.document(
                                List.of(
                                    allow(
                                        Inexact.KEEP_AWAKE.sid(),
                                        List.of("lambda:InvokeFunction"),
                                        List.of(names.invokedArn("*"))),
                                    refused)))
                        .build()))
            .build();
    Inexact.KEEP_AWAKE.giveReason(role);
    return role;
  }
}
