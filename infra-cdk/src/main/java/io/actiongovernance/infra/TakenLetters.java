package io.actiongovernance.infra;

import java.util.List;
import java.util.Map;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;

/**
 * Alarms on dead letters that a function handles. A letter that fails again and again is hidden
 * nearly always, so both visible and hidden letters count. Most letters are handled within seconds,
 * so only those that remain for longer count.
 */
final class TakenLetters {
  private static final int PERIOD_SECONDS = 300;
  private static final int LASTING = 3;
  private static final String NAMESPACE = "AWS/SQS";

  private TakenLetters() {}

  /** An alarm that goes off after there have been letters for a quarter of an hour. */
  static CfnAlarm.Builder alarm(Stack stack, String id, String name, String queue) {
    return CfnAlarm.Builder.create(stack, id)
        .alarmName(name)
        .alarmDescription(AlarmTopics.RUNBOOK)
        .metrics(
            List.of(
                CfnAlarm.MetricDataQueryProperty.builder()
                    .id("letters")
                    .label("letters")
                    .expression("visible + hidden")
                    .returnData(true)
                    .build(),
                most("visible", "ApproximateNumberOfMessagesVisible", queue),
                most("hidden", "ApproximateNumberOfMessagesNotVisible", queue)))
        .evaluationPeriods(LASTING)
        .datapointsToAlarm(LASTING)
        .threshold(0)
        .comparisonOperator("GreaterThanThreshold")
        .treatMissingData("notBreaching");
  }

  private static CfnAlarm.MetricDataQueryProperty most(String id, String metric, String queue) {
    return Ratio.metric(
        id, NAMESPACE, metric, Map.of("QueueName", queue), PERIOD_SECONDS, "Maximum");
  }
}
