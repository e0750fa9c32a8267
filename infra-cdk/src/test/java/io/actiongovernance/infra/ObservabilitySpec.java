package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Source.Changes;
import io.actiongovernance.functions.trigger.Source.DeadLetters;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import io.actiongovernance.store.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What people look at, and what calls them. */
final class ObservabilitySpec {
  private static final String PREFIX = "governance-prod";
  private static final String ALARM = "AWS::CloudWatch::Alarm";
  private static final Path RUNBOOK = Path.of("../docs/operations.md");

  static List<DeployedQueue> queues() {
    return Queue.all(Environment.named("prod").queues());
  }

  @ParameterizedTest
  @MethodSource("queues")
  void everyQueueIsWatchedForDeadLetters(DeployedQueue queue) {
    Resource alarm = named("dead-letters-" + queue.wire());
    assertThat(alarm.property("/Threshold").asInt()).isZero();
    assertThat(alarm.body().toString()).contains('"' + queue.deadLetterName(PREFIX) + '"');
  }

  /** A letter that its function fails on is hidden nearly always. */
  @Test
  void consumedDeadLettersAreWatchedWhileHiddenToo() {
    List<DeployedQueue> taken =
        Trigger.bindings().stream()
            .filter(binding -> binding.source() instanceof DeadLetters)
            .flatMap(binding -> binding.queues(Environment.named("prod").queues()).stream())
            .toList();
    assertThat(taken)
        .hasSize(9)
        .allSatisfy(
            queue -> {
              Resource alarm = named("dead-letters-" + queue.wire());
              assertThat(alarm.text("/Metrics/0/Expression")).isEqualTo("visible + hidden");
              assertThat(alarm.property("/Metrics"))
                  .filteredOn(one -> one.has("MetricStat"))
                  .extracting(one -> one.at("/MetricStat/Metric/MetricName").asText())
                  .containsExactly(
                      "ApproximateNumberOfMessagesVisible",
                      "ApproximateNumberOfMessagesNotVisible");
              assertThat(alarm.property("/Metrics"))
                  .filteredOn(one -> one.has("MetricStat"))
                  .allSatisfy(
                      one -> {
                        assertThat(one.at("/MetricStat/Stat").asText()).isEqualTo("Maximum");
                        assertThat(one.at("/MetricStat/Period").asInt()).isEqualTo(300);
                        assertThat(one.at("/MetricStat/Metric/Dimensions/0/Value").asText())
                            .isEqualTo(queue.deadLetterName(PREFIX));
                      });
              assertThat(alarm.property("/EvaluationPeriods").asInt()).isEqualTo(3);
              assertThat(alarm.property("/DatapointsToAlarm").asInt()).isEqualTo(3);
            });
  }

  /** What is relayed again and fails is hidden for most of a quarter of an hour. */
  @Test
  void givenUpChangesAreWatchedWhileHiddenToo() {
    Resource alarm = named("failed-changes");
    assertThat(alarm.text("/Metrics/0/Expression")).isEqualTo("visible + hidden");
    assertThat(alarm.property("/Metrics"))
        .filteredOn(one -> one.has("MetricStat"))
        .extracting(one -> one.at("/MetricStat/Metric/Dimensions/0/Value").asText())
        .containsOnly(Queue.FAILED_CHANGES.wireName(PREFIX));
  }

  @Test
  void everyActionQueueIsWatchedForItsOldestMessage() {
    List<DeployedQueue> actions =
        queues().stream().filter(queue -> queue.kind() == Queue.ACTIONS).toList();
    assertThat(actions)
        .hasSize(8)
        .allSatisfy(
            queue ->
                assertThat(alarm("AWS/SQS", queue.wireName(PREFIX)).text("/MetricName"))
                    .isEqualTo("ApproximateAgeOfOldestMessage"));
  }

  @ParameterizedTest
  @EnumSource
  void everyFunctionOfATriggerIsWatchedForErrorsAndEveryRelayForItsLag(Trigger trigger) {
    List<String> watched =
        PROD.all(ALARM).stream()
            .filter(
                alarm ->
                    alarm
                        .text("/Dimensions/0/Value")
                        .equals(PREFIX + "-" + trigger.binding().function()))
            .map(alarm -> alarm.text("/MetricName"))
            .toList();
    assertThat(watched)
        .containsExactlyInAnyOrderElementsOf(
            trigger.binding().source() instanceof Changes
                ? List.of("Errors", "IteratorAge")
                : List.of("Errors"));
  }

  @Test
  void everyStateMachineAndSharedMetricHasAnAlarm() {
    List<String> metrics =
        PROD.all(ALARM).stream().map(alarm -> alarm.text("/MetricName")).toList();
    assertThat(metrics).contains("OpenExecutionCount", "StuckPlans");
    assertThat(metrics.stream().filter("ExecutionsFailed"::equals).count())
        .isEqualTo(PROD.all("AWS::StepFunctions::StateMachine").size());
  }

  @Test
  void missingSweeperOrCanaryMetricsRaiseTheAlarm() {
    assertThat(named("stuck-plans").text("/TreatMissingData")).isEqualTo("breaching");
    assertThat(named("canary").text("/TreatMissingData")).isEqualTo("breaching");
  }

  @Test
  void failuresAreWatchedByTheirShare() {
    assertThat(named("api-faults").text("/Metrics/0/Expression"))
        .isEqualTo(
            "IF(FILL(faults, 0) >= 3, 100 * (FILL(faults, 0))"
                + " / IF(FILL(all, 0) > 0, FILL(all, 0), 1), 0)");
    for (String name : List.of("api-faults", "actions-unknown", "actions-failed")) {
      assertThat(named(name).property("/Threshold").asInt()).as(name).isPositive();
    }
    assertThat(named("actions-unknown").property("/Metrics").toString()).contains("unknown");
  }

  /** Metrics come late: of the newest minute FILL says none, over and over. */
  @Test
  void noAlarmThatFillsMissingDataDependsOnTheNewestMinute() {
    List<Resource> filling =
        PROD.all(ALARM).stream()
            .filter(alarm -> alarm.text("/Metrics/0/Expression").contains("FILL"))
            .toList();
    assertThat(filling)
        .hasSize(Rollout.FUNCTIONS.size() + 3 + 1 + Table.values().length)
        .allSatisfy(
            alarm -> {
              int bad = alarm.property("/DatapointsToAlarm").asInt();
              assertThat(bad).as(alarm.id()).isGreaterThanOrEqualTo(2);
              assertThat(alarm.property("/EvaluationPeriods").asInt()).isGreaterThan(bad);
            });
  }

  @Test
  void slowApprovalsAndOverdueItemsRaiseAlarms() {
    Resource approvals = named("slow-approvals");
    assertThat(approvals.text("/ExtendedStatistic")).isEqualTo("p90");
    assertThat(approvals.property("/Dimensions").toString())
        .contains("/v1/plans/{plan_id}/approve", "live", "POST", PREFIX);
    assertThat(named("oldest-due").property("/Threshold").asInt()).isEqualTo(600);
  }

  /** CloudWatch takes ten metrics in an expression that is alarmed on. */
  @Test
  void everyTableHasAThrottleAlarmOfAtMostTenMetrics() {
    for (Table table : Table.values()) {
      Resource alarm = named("throttled-" + table.wireName("").substring(1));
      assertThat(alarm.property("/Metrics").toString())
          .contains("ThrottledRequests", table.wireName(PREFIX));
    }
    assertThat(PROD.all(ALARM))
        .allSatisfy(
            alarm -> {
              long metrics =
                  Synthesised.list(alarm.property("/Metrics")).stream()
                      .filter(one -> one.has("MetricStat"))
                      .count();
              assertThat(metrics).isLessThanOrEqualTo(10);
            });
  }

  private static Resource named(String alarm) {
    return PROD.one(ALARM, "/AlarmName", PREFIX + "-" + alarm);
  }

  @Test
  void everyAlarmNotifiesItsTopicAtBeginningAndEnd() {
    assertThat(PROD.all("AWS::SNS::Topic"))
        .extracting(Resource::id)
        .containsExactlyInAnyOrder("PageTopic", "TicketTopic");
    assertThat(PROD.all(ALARM))
        .isNotEmpty()
        .allSatisfy(
            alarm -> {
              assertThat(alarm.property("/OKActions")).isEqualTo(alarm.property("/AlarmActions"));
              assertThat(topic(alarm)).as(alarm.id()).isEqualTo(Page.of(name(alarm)).isPresent());
            });
    assertThat(Synthesised.of(Environment.named("dev")).all(ALARM)).isEmpty();
  }

  /** Whether it wakes somebody. */
  private static boolean topic(Resource alarm) {
    JsonNode action = alarm.property("/AlarmActions/0");
    String topic = action.path("Ref").isTextual() ? action.path("Ref").asText() : flat(action);
    return switch (topic.replaceFirst(".*:", "")) {
      case "PageTopic" -> true;
      case "TicketTopic", PREFIX + "-tickets" -> false;
      default -> throw new AssertionError(topic);
    };
  }

  private static String name(Resource alarm) {
    return alarm.text("/AlarmName").substring(PREFIX.length() + 1);
  }

  @Test
  void aPageNamesTheFirstStepAsInTheRunbook() throws IOException {
    List<String> runbook = Files.readAllLines(RUNBOOK);
    for (Page page : Page.values()) {
      List<Resource> alarms =
          PROD.all(ALARM).stream()
              .filter(alarm -> Page.of(name(alarm)).filter(page::equals).isPresent())
              .toList();
      assertThat(alarms)
          .as(page.name())
          .isNotEmpty()
          .allMatch(
              alarm ->
                  alarm
                      .text("/AlarmDescription")
                      .equals(page.firstStep() + " " + AlarmTopics.RUNBOOK));
      assertThat(page.firstStep().length()).as(page.firstStep()).isLessThanOrEqualTo(120);
      assertThat(runbook)
          .filteredOn(line -> line.startsWith("|") && line.contains("| " + page.firstStep() + " |"))
          .hasSize(1);
    }
  }

  @Test
  void onCallIsPagedWhenADayExceedsTheBudget() {
    Resource budget = PROD.all("AWS::Budgets::Budget").getFirst();
    assertThat(budget.property("/Budget/BudgetLimit/Amount").asInt()).isEqualTo(100);
    assertThat(budget.text("/Budget/TimeUnit")).isEqualTo("DAILY");
    assertThat(budget.text("/NotificationsWithSubscribers/0/Subscribers/0/Address/Ref"))
        .isEqualTo("PageTopic");
    assertThat(PROD.all("AWS::SNS::TopicPolicy").toString()).contains("budgets.amazonaws.com");
    assertThat(Synthesised.of(Environment.named("dev")).all("AWS::Budgets::Budget")).isEmpty();
  }

  @Test
  void aRelayLagsForSomeMinutesBeforeItCounts() {
    for (String relay : List.of("relay-state", "relay-events", "relay-outcomes")) {
      assertThat(named("lag-" + relay).property("/DatapointsToAlarm").asInt()).isEqualTo(3);
      assertThat(named("lag-" + relay).property("/EvaluationPeriods").asInt()).isEqualTo(5);
    }
  }

  @Test
  void throttlesOfDeliberatelyCappedFunctionsDoNotCount() {
    Resource throttles = named("throttles");
    assertThat(throttles.property("/Metrics"))
        .filteredOn(one -> one.has("MetricStat"))
        .extracting(one -> one.at("/MetricStat/Metric/Dimensions/0/Value").asText())
        .containsExactly(
            "",
            PREFIX + "-propose-plan",
            PREFIX + "-retrieve-action",
            PREFIX + "-retrieve-plan",
            PREFIX + "-send-mcp-message",
            PREFIX + "-stream-events",
            PREFIX + "-unknown-path");
    assertThat(throttles.text("/Metrics/0/Expression"))
        .startsWith("FILL(all, 0) - (FILL(capped0, 0) + ");
  }

  @Test
  void theRunbookHasALineForEveryAlarmAndForNoOther() throws IOException {
    Set<String> alarms = new TreeSet<>();
    for (Synthesised prod : List.of(PROD, Synthesised.of(Synthesised.placed()))) {
      prod.all(ALARM)
          .forEach(alarm -> alarms.add(alarm.text("/AlarmName").substring(PREFIX.length() + 1)));
    }
    Set<String> explained = new HashSet<>();
    for (String name : lines()) {
      Pattern pattern = Pattern.compile(name.replace("*", "[a-z0-9-]+"));
      List<String> meant = alarms.stream().filter(pattern.asMatchPredicate()).toList();
      assertThat(meant).as("alarms that are called " + name).isNotEmpty();
      explained.addAll(meant);
    }
    assertThat(explained).containsExactlyInAnyOrderElementsOf(alarms);
    assertThat(Files.readString(RUNBOOK)).contains("\n## Alarms\n");
  }

  /** The alarms in the first cells of the runbook's tables, of which a line may name several. */
  private static List<String> lines() throws IOException {
    return Pattern.compile("(?m)^\\| `([a-z*-]+(?:`, `[a-z*-]+)*)` \\|")
        .matcher(Files.readString(RUNBOOK))
        .results()
        .flatMap((MatchResult line) -> Stream.of(line.group(1).split("`, `")))
        .toList();
  }

  @Test
  void theDashboardShowsEveryFunctionAndEveryQueue() {
    JsonNode body =
        Json.read(
            flat(PROD.all("AWS::CloudWatch::Dashboard").getFirst().property("/DashboardBody")));
    Set<String> shown = new HashSet<>();
    body.path("widgets")
        .forEach(
            widget ->
                widget
                    .at("/properties/metrics")
                    .forEach(metric -> metric.forEach(part -> shown.add(part.asText()))));
    Routes.all().stream()
        .forEach(route -> assertThat(shown).contains(PREFIX + "-" + route.operation()));
    Trigger.bindings()
        .forEach(binding -> assertThat(shown).contains(PREFIX + "-" + binding.function()));
    for (DeployedQueue queue : queues()) {
      assertThat(shown).contains(queue.wireName(PREFIX), queue.deadLetterName(PREFIX));
    }
    assertThat(shown).contains("StuckPlans", "OpenExecutionCount", "Throttles", "IteratorAge");
  }

  @Test
  void theDashboardShowsMemoryRestoresAndOtherServices() {
    String body =
        flat(PROD.all("AWS::CloudWatch::Dashboard").getFirst().property("/DashboardBody"));
    assertThat(body)
        .contains("/aws/lambda/governance-prod-execute-action")
        .contains("maxMemoryUsedMB", "restoreDurationMs")
        .contains("AWS/Bedrock", "Service=\\\"KMS\\\"", "BlockedRequests");
  }

  private static Resource alarm(String namespace, String value) {
    return PROD.all(ALARM).stream()
        .filter(alarm -> alarm.text("/Namespace").equals(namespace))
        .filter(alarm -> alarm.text("/Dimensions/0/Value").equals(value))
        .findFirst()
        .orElseThrow();
  }
}
