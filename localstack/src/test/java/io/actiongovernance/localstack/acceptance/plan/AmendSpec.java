package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Amending a plan (contract for people, section 3). */
@Acceptance
final class AmendSpec {
  private static ObjectNode body(String action, ObjectNode args) {
    ObjectNode body = Json.object().put("note", "Half of it was returned.");
    body.putArray("actions").addObject().put("action_id", action).set("args", args);
    return body;
  }

  private static ObjectNode args(String charge, String amount) {
    return Json.object().put("charge", charge).put("amount", amount);
  }

  /** Amends the first action of the plan by the key. */
  private static Answer amend(Api api, Plan plan, ObjectNode args) {
    return api.post(plan.path() + "/amend", body(plan.actionId(0), args));
  }

  /** Another person's key than that which approves. */
  private static Api desk(Given given) {
    ObjectNode key = Json.object().put("name", Given.unique("desk")).put("role", "operate");
    return given.api().as(given.api().post("/v1/keys", key).is(201).path("secret").asText());
  }

  @Test
  void anAmendmentReplacesThePlanWithANewOne(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"), operator.refund("b", "600.00"));
    Plan amended = new Plan(given.api(), amend(desk(given), old, args("a", "250.00")).is(201));
    JsonNode json = Shape.PLAN.of(amended.json());
    assertThat(amended.id()).isNotEqualTo(old.id());
    assertThat(json.path("amends").asText()).isEqualTo(old.id());
    assertThat(json.path("superseded_by").isNull()).isTrue();
    assertThat(json.path("status").asText()).isEqualTo("proposed");
    for (String same :
        List.of("operator_id", "correlation_id", "reasoning", "proposed_by", "expires_at")) {
      assertThat(json.path(same)).as(same).isEqualTo(old.json().path(same));
    }
    assertThat(json.at("/amended_by/type").asText()).isEqualTo("key");
    assertThat(json.at("/actions/0/args/amount").asText()).isEqualTo("250.00");
    assertThat(json.path("values").toString())
        .isEqualTo("[{\"currency\":null,\"sum\":850.00,\"claimed\":false}]");
    for (int position = 0; position < 2; position++) {
      String key = "/actions/" + position + "/idempotency_key";
      assertThat(json.at(key)).isEqualTo(old.json().at(key));
    }
    assertThat(json.at("/actions/0/action_digest"))
        .isNotEqualTo(old.json().at("/actions/0/action_digest"));
    assertThat(json.at("/actions/1/args")).isEqualTo(old.json().at("/actions/1/args"));
    JsonNode before = Shape.PLAN.of(old.now().json());
    assertThat(before.path("status").asText()).isEqualTo("vetoed");
    assertThat(before.path("superseded_by").asText()).isEqualTo(amended.id());
    assertThat(before.path("veto_reason").asText())
        .isEqualTo("Amended as " + amended.id() + ": Half of it was returned.");
    assertThat(old.receipt(0).path("outcome").asText()).isEqualTo("vetoed");
    old.tryApprove().isError(409, "state_conflict");
    amended.approve();
    JsonNode receipt = amended.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("amended_by")).isEqualTo(json.path("amended_by"));
    assertThat(receipt.path("proposed_by")).isEqualTo(old.json().path("proposed_by"));
    assertThat(given.upstream().calls()).hasSize(2);
  }

  @Test
  void aFactTheToolDoesNotBindIsAClaim(Given given) {
    Operator operator = given.operator(Given.alert(Given.NOTE));
    Plan old = operator.propose(operator.note("charge:a"));
    JsonNode amended = amend(desk(given), old, Json.object().put("text", "otherwise")).is(201);
    JsonNode action = amended.at("/actions/0");
    assertThat(action.path("entity_key")).isEqualTo(old.json().at("/actions/0/entity_key"));
    assertThat(Json.write(action.path("claimed"))).contains("entity_key");
  }

  @Test
  void anAmountThatTheToolDoesNotBindPermitsNothing(Given given) {
    ObjectNode small = Given.allow(Given.NOTE).set("conditions", Json.read("{\"max_value\":50}"));
    Operator operator = given.operator(small, Given.alert(Given.NOTE));
    Plan old = operator.propose(operator.note("charge:a").put("value", "500.00"));
    for (String amount : List.of("5.00", "0")) {
      ObjectNode args = Json.object().put("text", "otherwise").put("amount", amount);
      Answer amended = amend(desk(given), old, args);
      assertThat(amended.is(201).path("status").asText()).isEqualTo("proposed");
      assertThat(amended.json().at("/actions/0/verdict/decision").asText()).isEqualTo("ALERT");
      assertThat(amended.json().at("/actions/0/value").decimalValue()).isEqualByComparingTo("500");
      old = new Plan(given.api(), amended.json());
    }
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void theProposerAndAmendersCannotApprove(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"));
    Api desk = desk(given);
    Plan amended = new Plan(desk, amend(desk, old, args("a", "250.00")).is(201));
    JsonNode error = amended.tryApprove().isError(403, "approver_not_eligible");
    assertThat(error.at("/details/reason").asText()).isEqualTo("self_approval");
    Plan again = new Plan(desk, amend(given.api(), amended, args("a", "240.00")).is(201));
    again.tryApprove().isError(403, "approver_not_eligible");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void anAgentKeyCannotAmend(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"));
    ObjectNode key = Json.object().put("name", Given.unique("agent")).put("role", "agent");
    Api agent = given.api().as(given.api().post("/v1/keys", key).is(201).path("secret").asText());
    amend(agent, old, args("a", "250.00")).isError(403, "insufficient_scope");
    assertThat(old.now().status()).isEqualTo("proposed");
  }

  @Test
  void oneOfConcurrentAmendmentsAndApprovalsWins(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"));
    Api desk = desk(given);
    List<Answer> answers =
        Together.all(
            8,
            number ->
                number % 2 == 0
                    ? old.tryApprove()
                    : amend(desk, old, args("a", "2" + number + "0.00")));
    assertThat(answers).filteredOn(answer -> answer.status() < 300).hasSize(1);
    String status =
        Await.until(Duration.ofSeconds(10), old::now, now -> !now.status().equals("proposed"))
            .status();
    boolean approved = status.equals("executed");
    assertThat(given.upstream().calls()).hasSize(approved ? 1 : 0);
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data())
        .hasSize(approved ? 1 : 2);
  }

  @Test
  void aRepeatedAmendRequestAmendsOnce(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"));
    Api desk = desk(given);
    String key = Given.unique("once");
    ObjectNode body = body(old.actionId(0), args("a", "250.00"));
    JsonNode first = desk.post(old.path() + "/amend", body, "Idempotency-Key", key).is(201);
    Answer second = desk.post(old.path() + "/amend", body, "Idempotency-Key", key);
    assertThat(second.is(200).path("id")).isEqualTo(first.path("id"));
    assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    amend(desk, old, args("a", "240.00")).isError(409, "state_conflict");
  }

  @Test
  void badInputIsNamedByItsPath(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan old = operator.propose(operator.refund("a", "500.00"));
    Plan other = operator.propose(operator.refund("b", "500.00"));
    Api desk = desk(given);
    String path = old.path() + "/amend";
    assertThat(
            desk.post(path, Json.object()).isError(400, "missing_parameter").path("param").asText())
        .isEqualTo("actions");
    ObjectNode none = Json.object();
    none.putArray("actions");
    assertThat(desk.post(path, none).isError(400, "invalid_parameter").path("param").asText())
        .isEqualTo("actions");
    assertThat(
            desk.post(path, body(other.actionId(0), args("b", "1.00")))
                .isError(400, "invalid_parameter")
                .path("param")
                .asText())
        .isEqualTo("actions[0].action_id");
    ObjectNode twice = body(old.actionId(0), args("a", "1.00"));
    twice.withArray("actions").add(twice.at("/actions/0").deepCopy());
    assertThat(desk.post(path, twice).isError(400, "invalid_parameter").path("param").asText())
        .isEqualTo("actions[1].action_id");
    assertThat(old.now().json()).isEqualTo(old.json());
  }

  @Test
  void anExecutedPlanCannotBeAmended(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan done = operator.propose(operator.refund("a", "5.00"));
    amend(desk(given), done, args("a", "4.00")).isError(409, "state_conflict");
  }
}
