package io.actiongovernance.functions.trigger;

import static org.assertj.core.api.Assertions.assertThat;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent.DynamodbStreamRecord;
import com.amazonaws.services.lambda.runtime.events.models.dynamodb.AttributeValue;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What changes of the tables say, and what they do not. */
final class FactTest {
  private static final Map<String, String> NOTHING = Map.of();

  @Test
  void aNewEnvelopeIsIngestedAndNamesItself() {
    Optional<Fact> fact =
        only(Changes.ofObject(NOTHING, Map.of("kind", "event", "payload", "secret")));
    assertThat(fact.map(Fact::type)).hasValue(FactType.ENVELOPE_INGESTED);
    assertThat(fact.orElseThrow().detail()).contains("\"id\":\"x_1\"").doesNotContain("secret");
  }

  @Test
  void aPlanIsProposedWhenNewAndDisposedWhenItsStatusChanges() {
    Map<String, String> open = Map.of("kind", "plan", "status", "proposed");
    Map<String, String> executed = Map.of("kind", "plan", "status", "executed");
    assertThat(type(NOTHING, open)).hasValue(FactType.PLAN_PROPOSED);
    assertThat(type(open, executed)).hasValue(FactType.PLAN_DISPOSED);
    assertThat(type(executed, executed)).isEmpty();
    assertThat(only(Changes.ofObject(open, executed)).orElseThrow().detail())
        .contains("\"changed\":{\"status\":\"executed\"}");
  }

  @Test
  void aPlansClockStartsWhenItWaitsForPeople() {
    assertThat(types(NOTHING, plan("approval")))
        .containsExactly(FactType.PLAN_PROPOSED, FactType.PLAN_CLOCK_STARTED);
    assertThat(types(NOTHING, plan("execution"))).containsExactly(FactType.PLAN_PROPOSED);
    assertThat(types(NOTHING, plan("lock"))).containsExactly(FactType.PLAN_PROPOSED);
    assertThat(types(plan("lock"), plan("allowance"))).isEmpty();
  }

  @Test
  void aPlansClockStartsInItsLastQuarterOfAnHour() {
    Duration days = Duration.ofDays(3);
    Duration minutes = Duration.ofMinutes(10);
    assertThat(proposed(days)).containsExactly(FactType.PLAN_PROPOSED);
    assertThat(proposed(minutes))
        .containsExactly(FactType.PLAN_PROPOSED, FactType.PLAN_CLOCK_STARTED);
    assertThat(claimed(days, Duration.ofHours(5))).isEmpty();
    assertThat(claimed(days, days.minus(Duration.ofSeconds(990)))).isEmpty();
    // The stream tells of it rounded down.
    assertThat(claimed(days, days.minus(Duration.ofSeconds(930))))
        .containsExactly(FactType.PLAN_CLOCK_STOPPED);
    assertThat(claimed(minutes, Duration.ofSeconds(1)))
        .containsExactly(FactType.PLAN_CLOCK_STOPPED);
  }

  private static List<FactType> proposed(Duration time) {
    return said(Map.of(), plan("approval"), time, Duration.ZERO);
  }

  /** What is said of a plan that waited so long of its time, and executes. */
  private static List<FactType> claimed(Duration time, Duration waited) {
    Map<String, String> executing = new HashMap<>(plan("execution"));
    executing.remove("by_expiry");
    return said(plan("approval"), executing, time, waited);
  }

  private static List<FactType> said(
      Map<String, String> before, Map<String, String> after, Duration time, Duration passed) {
    Instant proposedAt = Instant.parse("2026-11-20T21:44:07.412Z");
    DynamodbStreamRecord change = Changes.ofObject(before, after);
    AttributeValue expiresAt = new AttributeValue();
    expiresAt.setN(String.valueOf(proposedAt.plus(time).toEpochMilli()));
    change.getDynamodb().getNewImage().put("expires_at", expiresAt);
    change.getDynamodb().setApproximateCreationDateTime(Date.from(proposedAt.plus(passed)));
    return Fact.of(change).stream().map(Fact::type).toList();
  }

  private static Map<String, String> plan(String waitingOn) {
    return Map.of(
        "kind", "plan", "status", "proposed", "waiting_on", waitingOn, "by_expiry", "open");
  }

  private static List<FactType> types(Map<String, String> before, Map<String, String> after) {
    return Fact.of(Changes.ofObject(before, after)).stream().map(Fact::type).toList();
  }

  @Test
  void anActionIsDisposedOnce() {
    Map<String, String> open = Map.of("kind", "action");
    Map<String, String> disposed = Map.of("kind", "action", "disposition", "ALLOW");
    Map<String, String> undone = Map.of("kind", "action", "disposition", "ALLOW", "undone", "true");
    assertThat(type(NOTHING, open)).isEmpty();
    assertThat(type(open, disposed)).hasValue(FactType.ACTION_DISPOSED);
    assertThat(type(disposed, undone)).isEmpty();
  }

  @Test
  void aConnectorsStatusChangeIsAFactButItsInstallationIsNot() {
    Map<String, String> connected = Map.of("kind", "connector", "status", "connected");
    Map<String, String> degraded = Map.of("kind", "connector", "status", "degraded");
    assertThat(type(NOTHING, connected)).isEmpty();
    assertThat(type(connected, degraded)).hasValue(FactType.CONNECTOR_STATUS_CHANGED);
  }

  @Test
  void onlyAStoppedScheduleOfAnOperatorIsAFact() {
    Map<String, String> runs = Map.of("kind", "operator", "status", "active");
    Map<String, String> stopped =
        Map.of(
            "kind", "operator", "status", "active", "schedule_stopped", "2026-12-31T23:59:07.412Z");
    assertThat(type(NOTHING, runs)).isEmpty();
    assertThat(type(runs, runs)).isEmpty();
    assertThat(type(runs, stopped)).hasValue(FactType.OPERATOR_SCHEDULE_STOPPED);
    assertThat(type(stopped, stopped)).isEmpty();
    assertThat(type(stopped, runs)).isEmpty();
  }

  @Test
  void removalsAndOtherItemsAreNoFacts() {
    assertThat(type(Map.of("kind", "event"), NOTHING)).isEmpty();
    assertThat(type(NOTHING, Map.of("n", "1"))).isEmpty();
    assertThat(type(NOTHING, Map.of("kind", "key"))).isEmpty();
  }

  @Test
  void aRepeatedChangeGivesTheSameFactId() {
    DynamodbStreamRecord change = Changes.ofObject(NOTHING, Map.of("kind", "receipt"));
    assertThat(only(change)).isEqualTo(only(change));
    assertThat(only(change).orElseThrow().factId()).isEqualTo("e-1:receipt.written");
  }

  @Test
  void anEndpointsStatusChangeIsAFactButItsCreationIsNot() {
    Map<String, String> active = Map.of("kind", "webhook_endpoint", "status", "active");
    Map<String, String> suspended = Map.of("kind", "webhook_endpoint", "status", "suspended");
    assertThat(type(NOTHING, active)).isEmpty();
    assertThat(type(active, active)).isEmpty();
    assertThat(type(active, suspended)).hasValue(FactType.WEBHOOK_ENDPOINT_STATUS_CHANGED);
  }

  @Test
  void aHaltIsAFactAndItsLiftIsOneWithoutTheReason() {
    Map<String, String> halted = Map.of("kind", "halt", "reason", "prices");
    Map<String, String> lifted = Map.of("kind", "halt", "reason", "prices", "lift", "{}");
    assertThat(type(NOTHING, halted)).hasValue(FactType.HALTED);
    assertThat(type(halted, halted)).isEmpty();
    assertThat(type(halted, lifted)).hasValue(FactType.HALT_LIFTED);
    assertThat(type(lifted, lifted)).isEmpty();
    assertThat(only(Changes.ofObject(halted, lifted)).orElseThrow().detail())
        .doesNotContain("prices", "changed");
  }

  @Test
  void eachActionThatAHumanMustApproveIsAFactOfItsPlan() {
    DynamodbStreamRecord change =
        Changes.ofObject(NOTHING, Map.of("kind", "plan", "status", "proposed"));
    AttributeValue actions = new AttributeValue();
    actions.setSS(List.of("act_2", "act_1"));
    change.getDynamodb().getNewImage().put("needs_approval", actions);
    List<Fact> facts = Fact.of(change);
    assertThat(facts)
        .extracting(Fact::type)
        .containsExactly(
            FactType.PLAN_PROPOSED,
            FactType.PLAN_HELD,
            FactType.ACTION_NEEDS_APPROVAL,
            FactType.ACTION_NEEDS_APPROVAL);
    assertThat(facts).extracting(Fact::id).containsExactly("x_1", "x_1", "act_1", "act_2");
    assertThat(facts).extracting(Fact::factId).doesNotHaveDuplicates();
  }

  @Test
  void anApprovalRequestComesWithItsPlanAndAVoteWithItsReceipt() {
    DynamodbStreamRecord plan =
        Changes.ofObject(NOTHING, Map.of("kind", "plan", "status", "proposed"));
    plan.getDynamodb().getNewImage().put("policies", new AttributeValue().withN("1"));
    assertThat(Fact.of(plan))
        .extracting(Fact::type)
        .containsExactly(FactType.PLAN_PROPOSED, FactType.APPROVAL_REQUESTED);
    DynamodbStreamRecord receipt = Changes.ofObject(NOTHING, Map.of("kind", "receipt"));
    receipt.getDynamodb().getNewImage().put("vote", new AttributeValue().withN("1"));
    List<Fact> facts = Fact.of(receipt);
    assertThat(facts)
        .extracting(Fact::type)
        .containsExactly(FactType.RECEIPT_WRITTEN, FactType.APPROVAL_VOTED);
    assertThat(facts).extracting(Fact::factId).doesNotHaveDuplicates();
  }

  @Test
  void theFactsTimeHasTheMillisecondsOfItsObject() {
    Instant second = Instant.parse("2026-11-20T21:44:07Z");
    assertThat(at(second, "2026-11-20T21:44:07.412Z")).isEqualTo("2026-11-20T21:44:07.412Z");
    assertThat(at(second, "2026-11-20T20:00:00.412Z")).as("of another change").isEqualTo(second);
  }

  private static Instant at(Instant streamed, String said) {
    Map<String, String> connected = Map.of("kind", "connector", "status", "connected");
    Map<String, String> degraded =
        Map.of("kind", "connector", "status", "degraded", "updated_at", said);
    DynamodbStreamRecord change = Changes.ofObject(connected, degraded);
    change.getDynamodb().setApproximateCreationDateTime(Date.from(streamed));
    return only(change).orElseThrow().at();
  }

  private static Optional<Fact> only(DynamodbStreamRecord change) {
    List<Fact> facts = Fact.of(change);
    assertThat(facts).hasSizeLessThan(2);
    return facts.stream().findFirst();
  }

  private static Optional<FactType> type(Map<String, String> before, Map<String, String> after) {
    return only(Changes.ofObject(before, after)).map(Fact::type);
  }
}
