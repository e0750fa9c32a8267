package io.actiongovernance.localstack.acceptance.entity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What must hold however many act at the same time (specification, rule 5). One after another: each
 * keeps a small machine busy by itself.
 */
@Acceptance
@EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
@Execution(ExecutionMode.SAME_THREAD)
final class RacesSpec {
  private static final Duration LONGEST = Duration.ofMinutes(4);

  @Test
  void sixtyFourSimultaneousApprovalsRunEachActionOnce(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"), operator.refund("c"));
    List<Answer> answers = Together.all(64, number -> plan.tryApprove());
    plan.await("executed", LONGEST);
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allMatch(answer -> answer.status() == 409);
    assertThat(given.upstream().effects())
        .extracting(Seen::path)
        .doesNotHaveDuplicates()
        .hasSize(3);
  }

  @Test
  void fiftyPlansOverOneEntityNeverOverlap(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    List<Answer> proposed =
        Together.all(50, number -> operator.tryPropose(operator.refund("shared")));
    for (Answer answer : proposed) {
      new Plan(given.api(), answer.is(201)).await("executed", LONGEST);
    }
    List<Seen> effects =
        given.upstream().effects().stream().sorted(Comparator.comparing(Seen::began)).toList();
    assertThat(effects).hasSize(50);
    for (int at = 1; at < effects.size(); at++) {
      assertThat(effects.get(at).began()).isGreaterThanOrEqualTo(effects.get(at - 1).ended());
    }
  }

  @Test
  void aHundredIngestsUnderOneIdempotencyKeyAppendOneEvent(Given given) {
    ObjectNode event =
        Json.object().put("source", Given.unique("shop")).put("event_type", "order.created");
    event.putObject("payload").put("id", 1);
    String key = Given.unique("key");
    List<Answer> answers =
        Together.all(100, number -> given.api().post("/v1/events", event, "Idempotency-Key", key));
    List<String> bodies =
        answers.stream()
            .filter(answer -> answer.status() < 300)
            .map(answer -> answer.json().path("id").asText())
            .distinct()
            .toList();
    assertThat(bodies).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() >= 300)
        .allMatch(
            answer -> answer.json().at("/error/code").asText().equals("idempotency_in_progress"));
    assertThat(given.api().get("/v1/events?source=" + event.path("source").asText()).ids())
        .isEqualTo(bodies);
  }

  @Test
  void fiveHundredActionsOfTenAgainstAThousandApplyExactlyAHundred(Given given) {
    ObjectNode limited = Given.alert(Given.REFUND);
    limited
        .putArray("limits")
        .addObject()
        .put("per", "operator")
        .put("window_seconds", 86_400)
        .put("max_value", "1000.00");
    Operator operator = given.operator(limited);
    List<Plan> plans = new ArrayList<>();
    for (int number = 0; number < 10; number++) {
      String prefix = "p" + number + "-";
      plans.add(
          operator.propose(
              IntStream.range(0, 50)
                  .mapToObj(at -> operator.refund(prefix + at, "10.00"))
                  .toArray(ObjectNode[]::new)));
    }
    Together.all(10, number -> plans.get(number).tryApprove());
    plans.forEach(plan -> plan.await("executed", LONGEST));
    assertThat(given.upstream().effects()).hasSize(100);
    long applied =
        plans.stream()
            .flatMap(plan -> plan.actionIds().stream())
            .filter(id -> given.api().get("/v1/actions/" + id).is(200).path("ok").asBoolean())
            .count();
    assertThat(applied).isEqualTo(100);
  }

  @Test
  void aHundredApprovalsOverTenEntitiesAllFinish(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    List<Plan> plans = new ArrayList<>();
    for (int number = 0; number < 100; number++) {
      plans.add(operator.propose(operator.refund("e" + number % 10)));
    }
    List<JsonNode> results = Together.all(100, number -> approveUntilDone(plans.get(number)));
    assertThat(results)
        .allMatch(
            result ->
                StreamSupport.stream(result.path("results").spliterator(), false)
                    .allMatch(one -> one.path("ok").asBoolean()));
    assertThat(given.upstream().effects()).hasSize(100);
  }

  /** Sends the very same request again after what {@code Retry-After} says. */
  private static JsonNode approveUntilDone(Plan plan) {
    for (int tries = 0; tries < 60; tries++) {
      Answer answer = plan.tryApprove();
      if (answer.status() == 200) {
        return answer.json();
      }
      answer.isError(409, "entity_locked");
      Await.pause(Duration.ofSeconds(Long.parseLong(answer.header("Retry-After"))));
    }
    throw new AssertionError("Never approved: " + plan.id());
  }
}
