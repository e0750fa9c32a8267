package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Guardrails that match at some times only (contract for the policy lab, section 2). */
@Acceptance
final class WindowsSpec {
  private static final String OUTSIDE = "outside_window";

  private static ObjectNode between(ObjectNode guardrail, Instant from, Instant until) {
    guardrail
        .putObject("conditions")
        .putObject("within")
        .putArray("between")
        .addObject()
        .put("from", from.toString())
        .put("until", until.toString());
    return guardrail;
  }

  private static JsonNode binding(Plan plan) {
    return plan.now().json().at("/actions/0/verdict");
  }

  @Test
  void aClaimOutsideTheWindowIsRefusedAndTheRestCanBeApproved(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"), operator.note("n"));
    Instant proposedAt = Instant.parse(plan.json().path("proposed_at").asText());
    operator.guardrails(
        between(Given.alert(Given.REFUND), proposedAt, proposedAt.plusMillis(1)),
        Given.alert(Given.NOTE));
    assertThat(binding(plan).path("reason").asText()).isEqualTo(OUTSIDE);
    assertThat(binding(plan).path("decision").asText()).isEqualTo("BLOCK");
    JsonNode error = plan.tryApprove().isError(409, OUTSIDE);
    assertThat(error.at("/details/action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(error.at("/details/rule").asText()).isEqualTo("alert-pay-refund-create");
    assertThat(plan.now().json().path("status").asText()).isEqualTo("proposed");
    ObjectNode rest = Json.object();
    rest.putArray("action_ids").add(plan.actionId(1));
    given.api().post(plan.path() + "/approve", rest).is(200);
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aReceiptSaysWhenItsActionWasJudged(Given given) {
    Instant before = Instant.now();
    Operator operator =
        given.operator(
            between(Given.allow(Given.REFUND), before.minusSeconds(60), before.plusSeconds(600)),
            Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"));
    plan.await("executed");
    Instant judged = Instant.parse(plan.receipt(0).path("evaluated_at").asText());
    assertThat(judged).isBetween(before, Instant.now());
    Operator timeless = given.operator(Given.allow(Given.NOTE));
    Plan other = timeless.propose(timeless.note("n"));
    other.await("executed");
    assertThat(other.receipt(0).has("evaluated_at")).isFalse();
  }

  @Test
  void aSimulationJudgesAtTheInstantAskedFor(Given given) {
    Instant end = Instant.parse("2030-01-01T00:00:00Z");
    Operator operator =
        given.operator(between(Given.allow(Given.REFUND), end.minusSeconds(60), end));
    ObjectNode body = Json.object();
    ObjectNode action = operator.refund("a");
    action.remove("idempotency_key");
    body.putArray("actions").add(action);
    for (String at : List.of("2029-12-31T23:59:59Z", "2030-01-01T00:00:00Z")) {
      JsonNode simulated =
          given
              .api()
              .post("/v1/operators/" + operator.id() + "/guardrails/simulate", body.put("at", at))
              .is(200);
      assertThat(simulated.at("/verdicts/0/decision").asText())
          .isEqualTo(at.startsWith("2029") ? "ALLOW" : "BLOCK");
    }
    given
        .api()
        .post("/v1/operators/" + operator.id() + "/guardrails/simulate", body.put("at", "soon"))
        .isInvalid("at");
  }

  @Test
  void anAnalysisShowsTheTimeAtWhichMoreIsPermitted(Given given) {
    Operator operator = given.operator(Given.block(Given.REFUND));
    ObjectNode weekly = Given.allow(Given.REFUND);
    ObjectNode within = weekly.putObject("conditions").putObject("within");
    within.put("zone", "Europe/Berlin");
    ObjectNode span = within.putArray("weekly").addObject();
    span.putArray("days").add("mon");
    span.put("from", "09:00").put("to", "17:00");
    ObjectNode body = Json.object();
    body.putArray("guardrails").add(weekly);
    JsonNode analysis =
        given.api().post("/v1/operators/" + operator.id() + "/guardrails/analyze", body).is(200);
    assertThat(analysis.path("complete").asBoolean()).isTrue();
    Instant at = Instant.parse(analysis.at("/permits_more/0/action/at").asText());
    assertThat(at).isAfterOrEqualTo(Instant.now().minusSeconds(60));
    within.put("zone", "Berlin");
    given
        .api()
        .post("/v1/operators/" + operator.id() + "/guardrails/analyze", body)
        .isInvalid("guardrails[0].conditions.within.zone");
  }
}
