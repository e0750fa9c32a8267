package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the verdicts would be (contract, section 4): nothing is written. */
@Acceptance
final class SimulateSpec {
  private static Answer simulate(Operator operator, ObjectNode body) {
    return operator.api().post("/v1/operators/" + operator.id() + "/guardrails/simulate", body);
  }

  private static ObjectNode body(ObjectNode... actions) {
    ObjectNode body = Json.object();
    body.putArray("actions").addAll(List.of(actions));
    return body;
  }

  private static ObjectNode without(ObjectNode action) {
    action.remove("idempotency_key");
    return action;
  }

  @Test
  void theVerdictsAreThoseOfAProposalAndNothingIsWritten(Given given) {
    Operator operator =
        given.operator(
            Given.allow(Given.NOTE), Given.alert(Given.REFUND), Given.block(Given.DELETE));
    ObjectNode[] actions = {
      operator.note("a"),
      operator.refund("ch"),
      operator.action(Given.DELETE, "r:1", Json.object().put("record", "1")),
      operator.action(Given.CANCEL, "r:2", Json.object().put("refund", "1")),
      operator.action(Given.READ, "r:3", Json.object().put("charge", "1"))
    };
    String before = EveryRoute.everything(given.api());
    JsonNode simulated = simulate(operator, body(actions)).is(200);
    assertThat(simulated.path("object").asText()).isEqualTo("simulation");
    assertThat(simulated.path("guardrails_version").asInt()).isEqualTo(1);
    assertThat(simulated.path("verdicts"))
        .isEqualTo(
            Json.read(
                """
                [{"decision":"ALLOW","tier":1,"rule":"allow-desk-note-add","reason":null,"limit":null},
                 {"decision":"ALERT","tier":2,"rule":"alert-pay-refund-create","reason":null,"limit":null},
                 {"decision":"BLOCK","tier":3,"rule":"block-data-record-delete","reason":null,"limit":null},
                 {"decision":"BLOCK","tier":2,"rule":null,"reason":null,"limit":null},
                 {"decision":"ALLOW","tier":0,"rule":"builtin.read_only","reason":null,"limit":null}]
                """));
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
    assertThat(given.upstream().calls()).isEmpty();
    Operator.Plan plan = operator.propose(actions);
    assertThat(plan.json().path("actions").findValues("verdict"))
        .isEqualTo(List.copyOf(simulated.path("verdicts").valueStream().toList()));
  }

  @Test
  void otherGuardrailsCanBeTried(Given given) {
    Operator operator = given.operator(Given.block(Given.NOTE));
    ObjectNode body = body(operator.note("a"));
    body.putArray("guardrails").add(Given.allow("desk.*.*"));
    JsonNode simulated = simulate(operator, body).is(200);
    assertThat(simulated.path("guardrails_version").isNull()).isTrue();
    assertThat(simulated.at("/verdicts/0/decision").asText()).isEqualTo("ALLOW");
    assertThat(
            simulate(operator, body(operator.note("a")))
                .is(200)
                .at("/verdicts/0/decision")
                .asText())
        .isEqualTo("BLOCK");
    body.putArray("guardrails").addObject().put("name", "x");
    simulate(operator, body).isError(400, "missing_parameter");
  }

  @Test
  void aDisabledGuardrailIsIgnoredAndABlockWinsAtAnyPriority(Given given) {
    Operator operator =
        given.operator(
            Given.block(Given.NOTE).put("enabled", false),
            Given.alert("desk.note.*").put("priority", 5),
            Given.allow("desk.*.*").put("priority", 6),
            Given.allow(Given.REFUND).put("priority", -5),
            Given.block("pay.*.*").put("priority", 900));
    JsonNode verdicts =
        simulate(operator, body(operator.note("a"), operator.refund("ch")))
            .is(200)
            .path("verdicts");
    assertThat(verdicts.findValuesAsText("decision")).containsExactly("ALERT", "BLOCK");
    assertThat(verdicts.findValuesAsText("rule"))
        .containsExactly("alert-desk-note-any", "block-pay-any-any");
  }

  @Test
  void aConditionThatCannotBeEvaluatedFailsClosed(Given given) {
    ObjectNode allow = Given.allow(Given.REFUND);
    allow.putObject("conditions").put("max_value", 50);
    ObjectNode block = Given.block(Given.NOTE);
    block
        .putObject("conditions")
        .putArray("args")
        .addObject()
        .put("path", "/weight")
        .put("op", "gt")
        .put("value", 10);
    Operator operator = given.operator(allow, block, Given.allow("desk.*.*"));
    JsonNode verdicts =
        simulate(
                operator,
                body(
                    operator.refund("ch", "50.00"),
                    operator.refund("ch", "50.000000000000000000001"),
                    operator.refund("ch"),
                    operator.note("a")))
            .is(200)
            .path("verdicts");
    assertThat(verdicts.findValuesAsText("decision"))
        .containsExactly("ALLOW", "BLOCK", "BLOCK", "BLOCK");
  }

  @Test
  void theActionsOfOneSimulationCountAgainstLimitsTogether(Given given) {
    ObjectNode allow = Given.allow(Given.NOTE);
    allow
        .putArray("limits")
        .addObject()
        .put("per", "operator")
        .put("window_seconds", 3_600)
        .put("max_actions", 1);
    Operator operator = given.operator(allow);
    JsonNode verdicts =
        simulate(operator, body(without(operator.note("a")), without(operator.note("b"))))
            .is(200)
            .path("verdicts");
    assertThat(verdicts.findValuesAsText("decision")).containsExactly("ALLOW", "ALERT");
  }

  @Test
  void anActionThatCannotBeProposedIsABadField(Given given) {
    Operator operator = given.operator();
    ObjectNode note = operator.note("a");
    simulate(operator, body(note.deepCopy().put("tool", "desk.note.drop")))
        .isInvalid("actions[0].tool");
    simulate(
            operator,
            body(note, note.deepCopy().put("connector", EveryRoute.unknown("connector_id"))))
        .isInvalid("actions[1].connector");
    simulate(operator, body(note.deepCopy().put("value", "much"))).isInvalid("actions[0].value");
    ObjectNode refund = operator.refund("ch");
    ((ObjectNode) refund.path("args")).put("colour", "red");
    simulate(operator, body(refund)).isInvalid("actions[0].args");
    simulate(operator, body()).isInvalid("actions");
    assertThat(given.api().get("/v1/receipts?kind=proposal").data()).isEmpty();
  }

  @Test
  void simulationNeedsOnlyTheScopeToReadOperators(Given given) {
    Operator operator = given.operator();
    Api reader = given.apiOfScopes("operators:read");
    reader
        .post("/v1/operators/" + operator.id() + "/guardrails/simulate", body(operator.note("a")))
        .is(200);
  }
}
