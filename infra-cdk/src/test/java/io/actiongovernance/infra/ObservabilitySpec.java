package io.actiongovernance.infra;

import static io.actiongovernance.infra.Synthesised.PROD;
import static io.actiongovernance.infra.Synthesised.flat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.actiongovernance.functions.Routes;
import io.actiongovernance.functions.queue.DeployedQueue;
import io.actiongovernance.functions.queue.Queue;
import io.actiongovernance.functions.trigger.Trigger;
import io.actiongovernance.functions.trigger.Trigger.Changes;
import io.actiongovernance.infra.Synthesised.Resource;
import io.actiongovernance.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
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
    assertThat(alarm("AWS/SQS", queue.deadLetterName(PREFIX)).property("/Threshold").asInt())
        .isZero();
  }

  @Test
  void everyQueueOfActionsIsWatchedForWhatWaitsInIt() {
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
  void thereIsAnAlarmForEveryStateMachineAndForWhatIsShared() {
    List<String> metrics =
        PROD.all(ALARM).stream().map(alarm -> alarm.text("/MetricName")).toList();
    assertThat(metrics).contains("Throttles", "OpenExecutionCount", "5XXError", "StuckPlans");
    assertThat(metrics.stream().filter("ExecutionsFailed"::equals).count())
        .isEqualTo(PROD.all("AWS::StepFunctions::StateMachine").size());
  }

  @Test
  void aSweeperThatSaysNothingIsAsGoodAsAStuckPlan() {
    Resource alarm = alarm("ActionGovernance", PREFIX);
    assertThat(alarm.text("/TreatMissingData")).isEqualTo("breaching");
  }

  @Test
  void everyAlarmGoesToTheTopic() {
    String topic = PROD.all("AWS::SNS::Topic").getFirst().id();
    assertThat(PROD.all(ALARM))
        .isNotEmpty()
        .allMatch(alarm -> alarm.text("/AlarmActions/0/Ref").equals(topic));
    assertThat(Synthesised.of(Environment.named("dev")).all(ALARM)).isEmpty();
  }

  @Test
  void theRunbookHasALineForEveryAlarmAndForNoOther() throws IOException {
    Set<String> alarms = new TreeSet<>();
    PROD.all(ALARM)
        .forEach(alarm -> alarms.add(alarm.text("/AlarmName").substring(PREFIX.length() + 1)));
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

  /** The first cells of the runbook's table. */
  private static List<String> lines() throws IOException {
    return Pattern.compile("(?m)^\\| `([a-z*-]+)` \\|")
        .matcher(Files.readString(RUNBOOK))
        .results()
        .map((MatchResult line) -> line.group(1))
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

  private static Resource alarm(String namespace, String value) {
    return PROD.all(ALARM).stream()
        .filter(alarm -> alarm.text("/Namespace").equals(namespace))
        .filter(alarm -> alarm.text("/Dimensions/0/Value").equals(value))
        .findFirst()
        .orElseThrow();
  }
}
