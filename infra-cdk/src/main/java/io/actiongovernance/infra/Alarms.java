package io.actiongovernance.infra;

import static io.actiongovernance.infra.Statements.ordered;

import io.actiongovernance.functions.trigger.Queue;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Changes;
import io.actiongovernance.functions.trigger.Trigger.Timed;
import io.actiongovernance.time.TimerKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.CfnOutput;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;
import software.amazon.awscdk.services.sns.CfnTopic;
import software.amazon.awscdk.services.sns.CfnTopicPolicy;

/**
 * The few signs that people must look: a message that nobody could handle, a change that was
 * stepped over, a relay that falls behind, a timer that gave up, an API that fails. They go to one
 * topic.
 */
final class Alarms {
  private static final Duration RELAY_MAY_LAG = Duration.ofMinutes(5);

  private final Stack stack;
  private final Environment environment;
  private final CfnTopic topic;

  Alarms(Stack stack, Environment environment) {
    this.stack = stack;
    this.environment = environment;
    this.topic =
        CfnTopic.Builder.create(stack, "AlarmTopic")
            .topicName(environment.prefix() + "-alarms")
            .build();
    CfnTopicPolicy.Builder.create(stack, "AlarmTopicPolicy")
        .topics(List.of(topic.getRef()))
        .policyDocument(Statements.document(List.of(encryptedOnly(), fromAlarms())))
        .build();
    for (Queue queue : Queue.values()) {
      depth(queue.deadLetterName(environment.prefix()));
    }
    depth(Queue.FAILED_CHANGES.wireName(environment.prefix()));
    for (Trigger trigger : Trigger.values()) {
      if (trigger.binding().source() instanceof Changes) {
        lag(trigger.binding().function());
      }
      if (trigger.binding().source() instanceof Timed(TimerKind kind)) {
        failures(kind);
      }
    }
    alarm("Faults", "AWS/ApiGateway", "5XXError", "ApiName", environment.prefix(), 5);
    CfnOutput.Builder.create(stack, "AlarmTopicArn").value(topic.getRef()).build();
  }

  private Map<String, Object> encryptedOnly() {
    return ordered(
        "Sid",
        "EncryptedTransportOnly",
        "Effect",
        "Deny",
        "Principal",
        Map.of("AWS", "*"),
        "Action",
        "sns:Publish",
        "Resource",
        topic.getRef(),
        "Condition",
        Map.of("Bool", Map.of("aws:SecureTransport", "false")));
  }

  private Map<String, Object> fromAlarms() {
    return ordered(
        "Sid",
        "AlarmsOfThisAccount",
        "Effect",
        "Allow",
        "Principal",
        Map.of("Service", "cloudwatch.amazonaws.com"),
        "Action",
        "sns:Publish",
        "Resource",
        topic.getRef(),
        "Condition",
        Map.of("StringEquals", Map.of("aws:SourceAccount", Aws.ACCOUNT_ID)));
  }

  private void depth(String queue) {
    alarm(
        "Depth-" + queue.replace(environment.prefix(), ""),
        "AWS/SQS",
        "ApproximateNumberOfMessagesVisible",
        "QueueName",
        queue,
        0);
  }

  private void lag(String function) {
    alarm(
        "Lag-" + function,
        "AWS/Lambda",
        "IteratorAge",
        "FunctionName",
        new Names(environment.prefix()).function(function),
        (double) RELAY_MAY_LAG.toMillis());
  }

  private void failures(TimerKind kind) {
    alarm(
        "Failed-" + kind.wire(),
        "AWS/States",
        "ExecutionsFailed",
        "StateMachineArn",
        new Names(environment.prefix()).stateMachineArn(kind),
        0);
  }

  private void alarm(
      String id,
      String namespace,
      String metric,
      String dimension,
      String value,
      double threshold) {
    CfnAlarm.Builder.create(stack, "Alarm" + Names.logical(id))
        .alarmDescription("docs/deploy.md#alarms")
        .namespace(namespace)
        .metricName(metric)
        .dimensions(
            List.of(CfnAlarm.DimensionProperty.builder().name(dimension).value(value).build()))
        .statistic(metric.equals("5XXError") ? "Sum" : "Maximum")
        .period(60)
        .evaluationPeriods(1)
        .threshold(threshold)
        .comparisonOperator("GreaterThanThreshold")
        .treatMissingData("notBreaching")
        .alarmActions(List.of(topic.getRef()))
        .build();
  }
}
