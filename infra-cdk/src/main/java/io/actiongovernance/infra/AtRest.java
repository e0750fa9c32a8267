package io.actiongovernance.infra;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import software.amazon.awscdk.App;
import software.amazon.awscdk.AppProps;

/**
 * The fixed costs of an environment, counted in its templates. As a program, it prints the costs of
 * the given environments as one JSON object, keyed by their names; {@code localstack/bench rest}
 * prices it. Immutable.
 *
 * @param alarmMetrics metrics in alarms; each costs as much as an alarm
 * @param compositeAlarms alarms that combine other alarms
 * @param dashboards each has its own price
 * @param metricFilters metrics made from log lines
 * @param firewalls web ACLs
 * @param firewallRules the rules of the web ACLs
 * @param secrets in Secrets Manager
 * @param keys customer keys in KMS
 * @param provisionedMegabytes memory of instances that are kept ready
 * @param polledQueues queues that Lambda polls
 * @param schedules events that the scheduler sends each day
 * @param canaries functions that have one action governed each minute
 */
record AtRest(
    int alarmMetrics,
    int compositeAlarms,
    int dashboards,
    int metricFilters,
    int firewalls,
    int firewallRules,
    int secrets,
    int keys,
    long provisionedMegabytes,
    int polledQueues,
    int schedules,
    int canaries) {

  public static void main(String[] names) {
    Node.require();
    ObjectNode all = Json.object();
    for (String name : names) {
      all.set(name, Json.tree(of(Environment.named(name))));
    }
    System.out.println(Json.write(all));
  }

  /** Counts the fixed costs in an environment's templates. */
  static AtRest of(Environment environment) {
    try {
      Path zip = Files.createTempFile("functions", ".zip");
      Path out = Files.createTempDirectory("cdk.out");
      try {
        App app = new App(AppProps.builder().outdir(out.toString()).build());
        GovernanceApp.stacks(app, environment, true, zip);
        app.synth();
        return of(templates(out));
      } finally {
        Files.delete(zip);
        try (Stream<Path> files = Files.walk(out)) {
          for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
            Files.delete(file);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<JsonNode> templates(Path out) throws IOException {
    try (Stream<Path> files = Files.walk(out)) {
      List<JsonNode> templates = new ArrayList<>();
      for (Path file : files.filter(file -> file.toString().endsWith(".template.json")).toList()) {
        templates.add(Json.read(Files.readString(file)));
      }
      return templates;
    }
  }

  /** Counts the fixed costs in these templates. */
  static AtRest of(List<JsonNode> templates) {
    List<JsonNode> resources =
        templates.stream()
            .flatMap(
                template -> StreamSupport.stream(template.path("Resources").spliterator(), false))
            .toList();
    List<JsonNode> alarms = properties(resources, "AWS::CloudWatch::Alarm");
    List<JsonNode> firewalls = properties(resources, "AWS::WAFv2::WebACL");
    return new AtRest(
        alarms.stream().mapToInt(AtRest::metrics).sum(),
        properties(resources, "AWS::CloudWatch::CompositeAlarm").size(),
        properties(resources, "AWS::CloudWatch::Dashboard").size(),
        properties(resources, "AWS::Logs::MetricFilter").size(),
        firewalls.size(),
        firewalls.stream().mapToInt(firewall -> firewall.path("Rules").size()).sum(),
        properties(resources, "AWS::SecretsManager::Secret").size(),
        properties(resources, "AWS::KMS::Key").size(),
        provisioned(templates),
        (int)
            properties(resources, "AWS::Lambda::EventSourceMapping").stream()
                .filter(mapping -> !mapping.has("StartingPosition"))
                .count(),
        properties(resources, "AWS::Scheduler::Schedule").size(),
        (int)
            properties(resources, "AWS::Lambda::Function").stream()
                .filter(function -> function.path("FunctionName").asText().endsWith("-canary"))
                .count());
  }

  private static List<JsonNode> properties(List<JsonNode> resources, String type) {
    return resources.stream()
        .filter(resource -> resource.path("Type").asText().equals(type))
        .map(resource -> resource.path("Properties"))
        .toList();
  }

  /** Counts an alarm's metrics. An alarm over an expression costs as much as each metric in it. */
  private static int metrics(JsonNode alarm) {
    int inExpressions =
        (int)
            StreamSupport.stream(alarm.path("Metrics").spliterator(), false)
                .filter(metric -> metric.has("MetricStat"))
                .count();
    return Math.max(1, inExpressions);
  }

  /** Counts the provisioned memory in MB. An alias is in the stack of its function. */
  private static long provisioned(List<JsonNode> templates) {
    long megabytes = 0;
    for (JsonNode template : templates) {
      JsonNode resources = template.path("Resources");
      Map<String, Integer> memory = new HashMap<>();
      resources
          .properties()
          .forEach(
              one ->
                  memory.put(one.getKey(), one.getValue().at("/Properties/MemorySize").asInt(0)));
      for (JsonNode resource : resources) {
        int instances =
            resource
                .at("/Properties/ProvisionedConcurrencyConfig/ProvisionedConcurrentExecutions")
                .asInt(0);
        if (instances > 0) {
          String function = resource.at("/Properties/FunctionName/Ref").asText();
          megabytes += (long) instances * Objects.requireNonNull(memory.get(function), function);
        }
      }
    }
    return megabytes;
  }
}
