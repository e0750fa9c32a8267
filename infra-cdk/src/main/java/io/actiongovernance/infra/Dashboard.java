package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.route.Route;
import io.actiongovernance.functions.telemetry.Metrics;
import io.actiongovernance.functions.telemetry.Metrics.Metric;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Binding;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.TableNames;
import io.actiongovernance.time.TimerKind;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import software.amazon.awscdk.Aws;
import software.amazon.awscdk.Stack;
import software.amazon.awscdk.services.cloudwatch.CfnDashboard;

/** A page that shows a deployment's health: the metrics of alarms, and those that explain them. */
final class Dashboard {
  private static final int WIDTH = 8;
  private static final int HEIGHT = 6;

  /** Widgets in a row of CloudWatch's 24 columns. */
  private static final int IN_A_ROW = 24 / WIDTH;

  private final String prefix;
  private final Names names;
  private final List<DeployedQueue> queues;
  private final List<Binding> triggers;
  private final List<String> reports;
  private final boolean firewall;
  private final ArrayNode widgets = (ArrayNode) Json.tree(List.of());

  private Dashboard(Environment environment) {
    this.prefix = environment.prefix();
    this.names = new Names(prefix, TableNames.of(prefix), false);
    this.queues = Queue.all(environment.queues());
    this.triggers = environment.triggers().stream().map(Trigger::binding).toList();
    this.reports = environment.readiness().reports();
    this.firewall = environment.firewall();
  }

  static void make(Stack stack, Environment environment) {
    CfnDashboard.Builder.create(stack, "Dashboard")
        .dashboardName(environment.prefix())
        .dashboardBody(new Dashboard(environment).body())
        .build();
  }

  private String body() {
    whatIsGoverned();
    requests();
    behindTheApi();
    machines();
    return Json.write(Json.object().set("widgets", widgets));
  }

  private void whatIsGoverned() {
    searched("Actions by outcome", Metric.ACTIONS);
    searched("Deliveries by outcome", Metric.DELIVERIES);
    widget(
        "Overdue steps and stuck plans",
        "Maximum",
        Stream.of(Metric.OVERDUE, Metric.STUCK_PLANS)
            .map(metric -> List.of(Metrics.NAMESPACE, metric.wire(), Metrics.DEPLOYMENT, prefix)));
  }

  private void requests() {
    widget(
        "API: requests, refused, failed",
        "Sum",
        Stream.of("Count", "4XXError", "5XXError").map(metric -> gateway(metric)));
    widget(
        "API: latency, p99", "p99", Stream.of(gateway("Latency"), gateway("IntegrationLatency")));
    widget(
        "Concurrency and throttles of the account",
        "Maximum",
        Stream.of(
            List.of("AWS/Lambda", "ConcurrentExecutions"), List.of("AWS/Lambda", "Throttles")));
    groups()
        .forEach(
            (group, functions) -> {
              widget(group + ": errors", "Sum", ofEach("Errors", functions));
              widget(group + ": duration, p99", "p99", ofEach("Duration", functions));
            });
  }

  private void behindTheApi() {
    List<String> functions = triggers.stream().map(Binding::function).toList();
    widget("Triggers: errors", "Sum", ofEach("Errors", functions));
    widget("Triggers: duration, p99", "p99", ofEach("Duration", functions));
    widget(
        "Relays: age of what they read",
        "Maximum",
        ofEach(
            "IteratorAge",
            triggers.stream()
                .filter(binding -> binding.source() instanceof Changes)
                .map(Binding::function)
                .toList()));
    widget("Queues: messages", "Maximum", ofQueues("ApproximateNumberOfMessagesVisible"));
    widget(
        "Queues: age of the oldest, seconds", "Maximum", ofQueues("ApproximateAgeOfOldestMessage"));
    widget(
        "Dead letters",
        "Maximum",
        queues.stream()
            .map(
                queue ->
                    List.of(
                        "AWS/SQS",
                        "ApproximateNumberOfMessagesVisible",
                        "QueueName",
                        queue.deadLetterName(prefix))));
    widget(
        "Timers: started and failed",
        "Sum",
        Arrays.stream(TimerKind.values())
            .flatMap(
                kind ->
                    Stream.of("ExecutionsStarted", "ExecutionsFailed")
                        .map(
                            metric ->
                                List.of(
                                    "AWS/States",
                                    metric,
                                    "StateMachineArn",
                                    names.stateMachineArn(kind)))));
    widget(
        "Executions open in the account",
        "Maximum",
        Stream.of(List.of("AWS/States", "OpenExecutionCount")));
  }

  /**
   * Shows resource use of functions, use of other AWS services, and requests that the firewall
   * refuses.
   */
  private void machines() {
    if (!reports.isEmpty()) {
      reported("Memory used at most, MB", "max(record.metrics.maxMemoryUsedMB)");
      reported("Restores of snapshots, longest, ms", "max(record.metrics.restoreDurationMs)");
    }
    search("Bedrock: calls", "{AWS/Bedrock,ModelId} MetricName=\"Invocations\"");
    search("Bedrock: calls refused", "{AWS/Bedrock,ModelId} MetricName=\"InvocationThrottles\"");
    search(
        "KMS: calls of the account",
        "{AWS/Usage,Class,Resource,Service,Type} MetricName=\"CallCount\" Service=\"KMS\"");
    if (firewall) {
      search(
          "Firewall: requests blocked",
          "{AWS/WAFV2,Region,Rule,WebACL} MetricName=\"BlockedRequests\" WebACL=\"%s\""
              .formatted(prefix));
    }
  }

  /**
   * Shows values from Lambda's reports of single runs, for the functions whose reports are logged.
   */
  private void reported(String title, String value) {
    String groups =
        reports.stream()
            .map(name -> "SOURCE '" + names.logGroup(name) + "'")
            .collect(Collectors.joining(" | "));
    ObjectNode properties = widget("log").putObject("properties");
    properties
        .put("title", title)
        .put("region", Aws.REGION)
        .put("view", "timeSeries")
        .put(
            "query",
            groups
                + " | filter type = 'platform.report'"
                + " | parse @log /(?<name>[^\\/]+)$/"
                + " | stats "
                + value
                + " by bin(5m), name");
  }

  private void search(String title, String metrics) {
    graph(title, "Sum")
        .addArray()
        .addObject()
        .put("expression", "SEARCH('%s', 'Sum')".formatted(metrics));
  }

  /** The functions of routes, by the collection in their path, as in {@code /v1/plans/…}. */
  static Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    for (Route route : Routes.all()) {
      groups.merge(
          Part.collection(route.path()),
          List.of(route.operation()),
          (before, more) -> Stream.concat(before.stream(), more.stream()).toList());
    }
    return groups;
  }

  private List<String> gateway(String metric) {
    return List.of("AWS/ApiGateway", metric, "ApiName", prefix);
  }

  private Stream<List<String>> ofEach(String metric, List<String> functions) {
    return functions.stream()
        .map(name -> List.of("AWS/Lambda", metric, "FunctionName", names.function(name)));
  }

  private Stream<List<String>> ofQueues(String metric) {
    return queues.stream()
        .map(queue -> List.of("AWS/SQS", metric, "QueueName", queue.wireName(prefix)));
  }

  /** Shows one of the service's own metrics, by every outcome that occurs. */
  private void searched(String title, Metric metric) {
    search(
        title,
        "{%s,%s,%s} MetricName=\"%s\" %s=\"%s\""
            .formatted(
                Metrics.NAMESPACE,
                Metrics.DEPLOYMENT,
                Metrics.OUTCOME,
                metric.wire(),
                Metrics.DEPLOYMENT,
                prefix));
  }

  private void widget(String title, String statistic, Stream<List<String>> metrics) {
    ArrayNode lines = graph(title, statistic);
    metrics.forEach(metric -> lines.add(Json.tree(metric)));
  }

  private ObjectNode widget(String type) {
    int at = widgets.size();
    return widgets
        .addObject()
        .put("type", type)
        .put("x", at % IN_A_ROW * WIDTH)
        .put("y", at / IN_A_ROW * HEIGHT)
        .put("width", WIDTH)
        .put("height", HEIGHT);
  }

  private ArrayNode graph(String title, String statistic) {
    return widget("metric")
        .putObject("properties")
        .put("title", title)
        .put("region", Aws.REGION)
        .put("stat", statistic)
        .put("period", 60)
        .put("view", "timeSeries")
        .putArray("metrics");
  }
}
