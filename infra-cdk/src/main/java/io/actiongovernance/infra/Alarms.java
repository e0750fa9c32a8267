package io.actiongovernance.infra;

import io.actiongovernance.functions.canary.Canary;
import io.actiongovernance.functions.plan.PlanRoutes;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Source.Every;
import io.actiongovernance.functions.trigger.Source.Timed;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.TimerKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnAlarm;

/**
 * The few alarms that mean that people must look. Those of {@link Page} go to one topic and all
 * others to a second; {@code docs/operations.md} states the steps for each.
 */
final class Alarms {
  private static final Duration RELAY_MAY_LAG = Duration.ofMinutes(1);
  private static final Duration MESSAGE_MAY_WAIT = Duration.ofMinutes(10);

  /**
   * The longest that an approval should take. After 25 seconds, its response states that the work
   * continues.
   */
  private static final Duration APPROVAL_MAY_TAKE = Duration.ofSeconds(20);

  /** The longest that a due step should wait. Everything that is due is looked at each minute. */
  private static final Duration DUE_MAY_WAIT = Duration.ofMinutes(10);

  /** The most faults, in percent of requests. */
  private static final int MOST_FAULTS = 1;

  /** The most unknown outcomes, in percent of the actions that ended. */
  private static final int MOST_UNKNOWN = 1;

  /** The most failures, in percent of the same actions; source systems cause most of them. */
  private static final int MOST_FAILED = 20;

  /**
   * The operations on tables that the service uses. There are eight, and an alarm may have at most
   * ten metrics.
   */
  private static final List<String> OPERATIONS =
      List.of(
          "BatchGetItem",
          "DeleteItem",
          "GetItem",
          "PutItem",
          "Query",
          "TransactGetItems",
          "TransactWriteItems",
          "UpdateItem");

  /**
   * The threshold of the alarm on open executions. An account may have a million of them open in a
   * region.
   */
  private static final int OPEN_EXECUTIONS = 700_000;

  private static final int HOUR_SECONDS = 3_600;

  /** The number of minutes in a row for which a self-healing problem must last. */
  private static final int LASTING = 5;

  private static final int LOOKED_AT_SECONDS = 300;

  /** The queues whose messages are handled immediately. Messages of other queues have to wait. */
  private static final Set<Queue> PROMPT =
      EnumSet.of(
          Queue.ACTIONS,
          Queue.PROPOSALS,
          Queue.PLAN_TIMERS,
          Queue.DELIVERIES,
          Queue.ATTEMPTS,
          Queue.SWEEPS);

  private final Stack stack;
  private final Environment environment;
  private final Names names;
  private final AlarmTopics topics;

  Alarms(Stack stack, Environment environment) {
    this.stack = stack;
    this.environment = environment;
    this.names = new Names(environment);
    this.topics = new AlarmTopics(stack, names);
    environment
        .budget()
        .ifPresent(most -> DailyBudget.make(stack, environment.prefix(), most, topics.pages()));
    queues();
    functions();
    limits();
    requests();
    outcomes();
    tables();
    exports();
    make(
            "stuck-plans",
            metric(
                Metrics.NAMESPACE,
                Metric.STUCK_PLANS.wire(),
                Metrics.DEPLOYMENT,
                environment.prefix()))
        // Stuck plans are counted every few minutes.
        .period(LOOKED_AT_SECONDS)
        .evaluationPeriods(2)
        .datapointsToAlarm(1)
        // The look-out reports each minute, even zero, so missing data means that it does not run.
        .treatMissingData("breaching")
        .build();
    make(
            "model-calls",
            metric(
                Metrics.NAMESPACE,
                Metric.MODEL_CALLS_PUT_OFF.wire(),
                Metrics.DEPLOYMENT,
                environment.prefix()))
        .build();
  }

  private CfnAlarm.Builder ratio(String name) {
    return topics.told(
        name, Ratio.alarm(stack, "Alarm" + Names.logical(name), environment.prefix() + "-" + name));
  }

  private void requests() {
    Map<String, String> api = Map.of("ApiName", environment.prefix());
    ratio("api-faults")
        .metrics(
            Ratio.of(
                List.of(Ratio.sum("faults", "AWS/ApiGateway", "5XXError", api)),
                List.of(Ratio.sum("all", "AWS/ApiGateway", "Count", api))))
        .threshold(MOST_FAULTS)
        .build();
    make(
            "slow-approvals",
            new Watched(
                "AWS/ApiGateway",
                "Latency",
                List.of(
                    dimension("ApiName", environment.prefix()),
                    dimension("Stage", ApiStack.STAGE),
                    dimension("Method", PlanRoutes.APPROVE_PLAN.method().name()),
                    dimension("Resource", PlanRoutes.APPROVE_PLAN.path()))))
        .statistic(null)
        .extendedStatistic("p90")
        .threshold((double) APPROVAL_MAY_TAKE.toMillis())
        .evaluationPeriods(LASTING)
        .datapointsToAlarm(3)
        .build();
  }

  /** Unwanted outcomes, as a share of all actions that ended in a minute. */
  private void outcomes() {
    for (ReceiptOutcome outcome : List.of(ReceiptOutcome.UNKNOWN, ReceiptOutcome.FAILED)) {
      ratio("actions-" + outcome.wire())
          .metrics(
              Ratio.of(
                  List.of(ended("bad", outcome)),
                  List.of(
                      ended("applied", ReceiptOutcome.APPLIED),
                      ended("unknown", ReceiptOutcome.UNKNOWN),
                      ended("failed", ReceiptOutcome.FAILED))))
          .threshold(outcome == ReceiptOutcome.UNKNOWN ? MOST_UNKNOWN : MOST_FAILED)
          .build();
    }
    if (environment.readiness().canary()) {
      make(
              Canary.NAME,
              new Watched(
                  Metrics.NAMESPACE,
                  Metric.CANARY.wire(),
                  List.of(
                      dimension(Metrics.DEPLOYMENT, environment.prefix()),
                      dimension(Metrics.OUTCOME, "ok"))))
          .statistic("Sum")
          .threshold(1)
          .comparisonOperator("LessThanThreshold")
          .evaluationPeriods(LASTING)
          .datapointsToAlarm(3)
          .treatMissingData("breaching")
          .build();
    }
    make(
            "oldest-due",
            metric(
                Metrics.NAMESPACE,
                Metric.OLDEST_DUE.wire(),
                Metrics.DEPLOYMENT,
                environment.prefix()))
        .threshold(DUE_MAY_WAIT.toSeconds())
        .evaluationPeriods(LASTING)
        .datapointsToAlarm(3)
        .build();
  }

  private CfnAlarm.MetricDataQueryProperty ended(String id, ReceiptOutcome outcome) {
    return Ratio.sum(
        id,
        Metrics.NAMESPACE,
        Metric.ACTIONS.wire(),
        Map.of(Metrics.DEPLOYMENT, environment.prefix(), Metrics.OUTCOME, outcome.wire()));
  }

  /** Requests that DynamoDB refused, for each table with its indexes. */
  private void tables() {
    for (Table table : Table.values()) {
      String name = environment.tables().of(table);
      List<CfnAlarm.MetricDataQueryProperty> refused =
          OPERATIONS.stream()
              .map(
                  operation ->
                      Ratio.sum(
                          operation.substring(0, 1).toLowerCase(Locale.ROOT)
                              + operation.substring(1),
                          "AWS/DynamoDB",
                          "ThrottledRequests",
                          Map.of("TableName", name, "Operation", operation)))
              .toList();
      String wire = table.wireName("").substring(1);
      ratio("throttled-" + wire)
          .metrics(Ratio.total(refused))
          .threshold(0)
          .evaluationPeriods(LASTING)
          .datapointsToAlarm(3)
          .build();
    }
  }

  private void queues() {
    Set<DeployedQueue> taken =
        environment.triggers().stream()
            .map(Trigger::binding)
            .filter(binding -> binding.source() instanceof DeadLetters)
            .flatMap(binding -> binding.queues(environment.queues()).stream())
            .collect(Collectors.toSet());
    for (DeployedQueue queue : Queue.all(environment.queues())) {
      String letters = "dead-letters-" + queue.wire();
      if (taken.contains(queue)) {
        taken(letters, queue.deadLetterName(environment.prefix()));
      } else {
        depth(letters, queue.deadLetterName(environment.prefix()));
      }
      if (PROMPT.contains(queue.kind())) {
        make(
                "waiting-" + queue.wire(),
                metric(
                    "AWS/SQS",
                    "ApproximateAgeOfOldestMessage",
                    "QueueName",
                    queue.wireName(environment.prefix())))
            .threshold(MESSAGE_MAY_WAIT.toSeconds())
            .build();
      }
    }
    // Most changes are relayed at the first retry; messages of the others are hidden nearly all the
    // time.
    taken("failed-changes", Queue.FAILED_CHANGES.wireName(environment.prefix()));
    depth("failed-facts", Queue.FAILED_FACTS.wireName(environment.prefix()));
  }

  private void taken(String name, String queue) {
    topics
        .told(
            name,
            TakenLetters.alarm(
                stack, "Alarm" + Names.logical(name), environment.prefix() + "-" + name, queue))
        .build();
  }

  private void depth(String name, String queue) {
    make(name, metric("AWS/SQS", "ApproximateNumberOfMessagesVisible", "QueueName", queue)).build();
  }

  /**
   * Alarms on functions that are not started by requests. A failed request counts as a fault of the
   * API.
   */
  private void functions() {
    for (Trigger trigger : environment.triggers()) {
      Binding binding = trigger.binding();
      String function = names.function(binding.function());
      // Only Lambda's own early retry makes an hourly function fail twice within minutes.
      boolean hourly =
          binding.source() instanceof Every every
              && every.rate().compareTo(Duration.ofHours(1)) >= 0;
      make("errors-" + binding.function(), metric("AWS/Lambda", "Errors", "FunctionName", function))
          .statistic("Sum")
          .period(hourly ? HOUR_SECONDS : 60)
          .evaluationPeriods(hourly ? 3 : LASTING)
          .datapointsToAlarm(2)
          .build();
      if (binding.source() instanceof Changes) {
        make(
                "lag-" + binding.function(),
                metric("AWS/Lambda", "IteratorAge", "FunctionName", function))
            .threshold((double) RELAY_MAY_LAG.toMillis())
            // Publishing a version holds up a relay for a minute.
            .evaluationPeriods(LASTING)
            .datapointsToAlarm(3)
            .build();
      }
      if (binding.source() instanceof Timed(TimerKind kind)) {
        make(
                "failed-" + kind.wire(),
                metric(
                    "AWS/States",
                    "ExecutionsFailed",
                    "StateMachineArn",
                    names.stateMachineArn(kind)))
            .statistic("Sum")
            .build();
      }
    }
  }

  /** Alarms on failed exports of tables, in environments that have them. */
  private void exports() {
    if (TableExports.has(environment)) {
      make(
              "failed-table-exports",
              metric(
                  "AWS/States",
                  "ExecutionsFailed",
                  "StateMachineArn",
                  Names.stateMachines() + names.tableExports()))
          .statistic("Sum")
          .build();
    }
  }

  /** Alarms on limits of the account and region, which everything there shares. */
  private void limits() {
    List<CfnAlarm.MetricDataQueryProperty> capped = new ArrayList<>();
    for (String function : environment.capped()) {
      capped.add(
          Ratio.sum(
              "capped" + capped.size(),
              "AWS/Lambda",
              "Throttles",
              Map.of("FunctionName", names.function(function))));
    }
    ratio("throttles")
        .metrics(Ratio.without(Ratio.sum("all", "AWS/Lambda", "Throttles", Map.of()), capped))
        .threshold(0)
        .build();
    make("open-executions", metric("AWS/States", "OpenExecutionCount"))
        .threshold(OPEN_EXECUTIONS)
        .build();
  }

  /** The metric that an alarm watches, and its dimensions. */
  private record Watched(
      String namespace, String metric, List<CfnAlarm.DimensionProperty> dimensions) {}

  private static Watched metric(String namespace, String metric) {
    return new Watched(namespace, metric, List.of());
  }

  private static Watched metric(String namespace, String metric, String dimension, String value) {
    return new Watched(namespace, metric, List.of(dimension(dimension, value)));
  }

  private static CfnAlarm.DimensionProperty dimension(String name, String value) {
    return CfnAlarm.DimensionProperty.builder().name(name).value(value).build();
  }

  /** An alarm that by default goes off as soon as the metric exceeds zero. */
  private CfnAlarm.Builder make(String name, Watched watched) {
    return topics
        .told(
            name,
            CfnAlarm.Builder.create(stack, "Alarm" + Names.logical(name))
                .alarmName(environment.prefix() + "-" + name))
        .namespace(watched.namespace())
        .metricName(watched.metric())
        .dimensions(watched.dimensions())
        .statistic("Maximum")
        .period(60)
        .evaluationPeriods(1)
        .threshold(0)
        .comparisonOperator("GreaterThanThreshold")
        .treatMissingData("notBreaching");
  }
}
