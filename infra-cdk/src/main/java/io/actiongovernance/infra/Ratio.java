package io.actiongovernance.infra;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;

/**
 * Alarms on the share of bad events, in percent. Five failures a minute are many among ten
 * requests, and negligible among ten thousand. Fewer than {@value #FEWEST} bad events do not count.
 */
final class Ratio {
  /**
   * The fewest bad events that count, because a single failure indicates nothing about the others.
   */
  private static final int FEWEST = 3;

  private static final int PERIOD_SECONDS = 60;

  private static final int LOOKED_AT = 4;

  /**
   * The number of the examined minutes that must be bad. Metrics arrive late, and {@code FILL}
   * repeatedly reports zero for the newest minute.
   */
  private static final int BAD_OF_THEM = 2;

  private Ratio() {}

  /** A metric's sum per minute, with an identifier for expressions. */
  static CfnAlarm.MetricDataQueryProperty sum(
      String id, String namespace, String metric, Map<String, String> dimensions) {
    return metric(id, namespace, metric, dimensions, PERIOD_SECONDS, "Sum");
  }

  /** Any statistic of a metric, with an identifier for expressions. */
  static CfnAlarm.MetricDataQueryProperty metric(
      String id,
      String namespace,
      String metric,
      Map<String, String> dimensions,
      int periodSeconds,
      String statistic) {
    return CfnAlarm.MetricDataQueryProperty.builder()
        .id(id)
        .returnData(false)
        .metricStat(
            CfnAlarm.MetricStatProperty.builder()
                .metric(
                    CfnAlarm.MetricProperty.builder()
                        .namespace(namespace)
                        .metricName(metric)
                        .dimensions(
                            new TreeMap<>(dimensions)
                                .entrySet().stream()
                                    .map(
                                        one ->
                                            CfnAlarm.DimensionProperty.builder()
                                                .name(one.getKey())
                                                .value(one.getValue())
                                                .build())
                                    .toList())
                        .build())
                .period(periodSeconds)
                .stat(statistic)
                .build())
        .build();
  }

  /**
   * The metrics of an alarm on the share of bad events, in percent.
   *
   * @param bad sums that together count the bad events
   * @param all sums that together count all events
   */
  static List<CfnAlarm.MetricDataQueryProperty> of(
      List<CfnAlarm.MetricDataQueryProperty> bad, List<CfnAlarm.MetricDataQueryProperty> all) {
    String many = sum(bad);
    return looking(
        "percent",
        "IF(%1$s >= %2$s, 100 * (%1$s) / IF(%3$s > 0, %3$s, 1), 0)"
            .formatted(many, FEWEST, sum(all)),
        Stream.concat(bad.stream(), all.stream()).toList());
  }

  /** The metrics of an alarm on sums that should be zero. */
  static List<CfnAlarm.MetricDataQueryProperty> total(List<CfnAlarm.MetricDataQueryProperty> bad) {
    return looking("total", sum(bad), bad);
  }

  /** The metrics of an alarm on a sum from which an expected part is subtracted. */
  static List<CfnAlarm.MetricDataQueryProperty> without(
      CfnAlarm.MetricDataQueryProperty all, List<CfnAlarm.MetricDataQueryProperty> some) {
    String rest = some.isEmpty() ? "" : " - (" + sum(some) + ")";
    return looking(
        "rest", sum(List.of(all)) + rest, Stream.concat(Stream.of(all), some.stream()).toList());
  }

  private static String sum(List<CfnAlarm.MetricDataQueryProperty> sums) {
    return sums.stream()
        .map(one -> "FILL(%s, 0)".formatted(one.getId()))
        .collect(Collectors.joining(" + "));
  }

  private static List<CfnAlarm.MetricDataQueryProperty> looking(
      String id, String expression, List<CfnAlarm.MetricDataQueryProperty> at) {
    List<CfnAlarm.MetricDataQueryProperty> looked = new ArrayList<>();
    looked.add(
        CfnAlarm.MetricDataQueryProperty.builder()
            .id(id)
            .label(id)
            .expression(expression)
            .returnData(true)
            .build());
    looked.addAll(at);
    return looked;
  }

  /** An alarm that by default goes off if the threshold is exceeded in two minutes of four. */
  static CfnAlarm.Builder alarm(Stack stack, String id, String name) {
    return CfnAlarm.Builder.create(stack, id)
        .alarmName(name)
        .alarmDescription(AlarmTopics.RUNBOOK)
        .evaluationPeriods(LOOKED_AT)
        .datapointsToAlarm(BAD_OF_THEM)
        .comparisonOperator("GreaterThanThreshold")
        .treatMissingData("notBreaching");
  }
}
