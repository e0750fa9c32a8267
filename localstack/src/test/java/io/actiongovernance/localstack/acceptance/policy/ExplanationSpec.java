package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.EveryRoute;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Explanations of verdicts (contract for the policy lab, section 6). */
@Acceptance
final class ExplanationSpec {
  private static String path(String action) {
    return "/v1/actions/" + action + "/explanation";
  }

  /** The explanation of an action, whose fields are those of the contract and no others. */
  private static JsonNode explanation(Given given, String action) {
    JsonNode explanation = Shape.EXPLANATION.of(given.api().get(path(action)).is(200));
    assertThat(explanation.path("object").asText()).isEqualTo("explanation");
    assertThat(explanation.path("action_id").asText()).isEqualTo(action);
    ofShape(explanation.path("proposal"));
    if (!explanation.path("execution").isNull()) {
      ofShape(explanation.path("execution"));
    }
    return explanation;
  }

  private static void ofShape(JsonNode explained) {
    Shape.EXPLAINED_VERDICT.of(explained);
    Shape.VERDICT.of(explained.path("verdict"));
    for (JsonNode considered : explained.path("considered")) {
      Shape.CONSIDERED.of(considered);
      considered.path("conditions").forEach(Shape.TESTED_CONDITION::of);
    }
  }

  private static ObjectNode with(ObjectNode guardrail, String conditions) {
    guardrail.set("conditions", Json.read(conditions.replace('\'', '"')));
    return guardrail;
  }

  private static JsonNode json(String text) {
    return Json.read(text.replace('\'', '"'));
  }

  private static ObjectNode without(ObjectNode action, String field) {
    action.remove(field);
    return action;
  }

  /** The identifier of an action whose plan the policy blocked as a whole. */
  private static String blocked(Given given, Operator operator, ObjectNode action) {
    String plan =
        operator.tryPropose(action).isError(422, "policy_blocked").at("/details/plan_id").asText();
    return given.api().get("/v1/plans/" + plan).is(200).at("/actions/0/id").asText();
  }

  private static JsonNode simulate(Operator operator, ObjectNode body) {
    return operator.api().post(operator.guardrailsPath() + "/simulate", body).is(200);
  }

  @Test
  void anActionThatRanAsProposedIsExplainedByItsConditions(Given given) {
    ObjectNode small =
        with(
            Given.allow(Given.REFUND),
            "{'max_value':'50.00','entity_key':'charge:*','max_tier':2,"
                + "'args':[{'path':'/memo','op':'exists','value':false}]}");
    Operator operator =
        given.operator(small, with(Given.block("pay.*.*"), "{'min_value':100}"), Given.allow("*"));
    Plan plan = operator.propose(operator.refund("a", "12.50")).await("executed");
    JsonNode explanation = explanation(given, plan.actionId(0));
    assertThat(explanation.path("execution").isNull()).isTrue();
    JsonNode proposal = explanation.path("proposal");
    assertThat(proposal.path("guardrails_version").asLong()).isEqualTo(1);
    assertThat(proposal.path("at")).isEqualTo(plan.json().path("proposed_at"));
    assertThat(proposal.path("verdict")).isEqualTo(plan.json().at("/actions/0/verdict"));
    assertThat(proposal.path("reproduced").asBoolean()).isTrue();
    assertThat(proposal.path("limited_by")).isEmpty();
    assertThat(proposal.path("considered"))
        .isEqualTo(
            json(
                """
                [{'guardrail':'block-pay-any-any','decision':'BLOCK','matched':false,'conditions':[
                   {'on':'min_value','asked':100,'got':12.50,'held':'fails','claimed':false}]},
                 {'guardrail':'allow-pay-refund-create','decision':'ALLOW','matched':true,'conditions':[
                   {'on':'min_value','asked':0,'got':12.50,'held':'holds','claimed':false},
                   {'on':'max_value','asked':'50.00','got':12.50,'held':'holds','claimed':false},
                   {'on':'entity_key','asked':'charge:*','got':'charge:a','held':'holds','claimed':false},
                   {'on':'max_tier','asked':2,'got':2,'held':'holds','claimed':false},
                   {'on':'args','asked':{'path':'/memo','op':'exists','value':false},'got':false,
                    'held':'holds','claimed':false}]}]
                """));
  }

  @Test
  void anActionThatIsBlockedForWantOfAnArgumentShowsTheUndecidableCondition(Given given) {
    Operator operator =
        given.operator(
            with(Given.block(Given.NOTE), "{'args':[{'path':'/weight','op':'gt','value':10}]}"),
            Given.allow(Given.NOTE));
    JsonNode proposal =
        explanation(given, blocked(given, operator, operator.note("n"))).path("proposal");
    assertThat(proposal.at("/verdict/decision").asText()).isEqualTo("BLOCK");
    assertThat(proposal.path("reproduced").asBoolean()).isTrue();
    assertThat(proposal.at("/considered/0"))
        .isEqualTo(
            json(
                """
                {'guardrail':'block-desk-note-add','decision':'BLOCK','matched':true,'conditions':[
                  {'on':'args','asked':{'path':'/weight','op':'gt','value':10},'got':null,
                   'held':'undecidable','claimed':false}]}
                """));
    assertThat(proposal.at("/considered/1/matched").asBoolean()).isTrue();
  }

  @Test
  void aFieldThatOnlyAnAgentStatesIsClaimedAndUndecidable(Given given) {
    Operator operator = given.operator(with(Given.allow(Given.NOTE), "{'max_value':50}"));
    String action = blocked(given, operator, operator.note("n").put("value", "9"));
    JsonNode conditions = explanation(given, action).at("/proposal/considered/0/conditions");
    assertThat(conditions)
        .isEqualTo(
            json(
                """
                [{'on':'min_value','asked':0,'got':9,'held':'undecidable','claimed':true},
                 {'on':'max_value','asked':50,'got':9,'held':'undecidable','claimed':true}]
                """));
  }

  @Test
  void guardrailsThatChangedBeforeTheExecutionExplainItByTheirOwnVersion(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a", "12.50"));
    String action = plan.actionId(0);
    assertThat(explanation(given, action).path("execution").isNull()).isTrue();
    operator.guardrails(Given.block("pay.*.*"));
    assertThat(explanation(given, action).path("execution").isNull()).isTrue();
    plan.tryApprove().isError(422, "policy_blocked");
    JsonNode receipt = plan.receipt(0);
    JsonNode explanation = explanation(given, action);
    JsonNode proposal = explanation.path("proposal");
    assertThat(proposal.path("guardrails_version").asLong()).isEqualTo(1);
    assertThat(proposal.at("/verdict/decision").asText()).isEqualTo("ALERT");
    assertThat(proposal.path("reproduced").asBoolean()).isTrue();
    JsonNode execution = explanation.path("execution");
    assertThat(execution.path("guardrails_version")).isEqualTo(receipt.path("guardrails_version"));
    assertThat(execution.path("guardrails_version").asLong()).isEqualTo(2);
    assertThat(execution.path("at")).isEqualTo(receipt.path("written_at"));
    assertThat(execution.at("/verdict/rule").asText()).isEqualTo("block-pay-any-any");
    assertThat(execution.path("reproduced").asBoolean()).isTrue();
    assertThat(execution.path("considered").findValuesAsText("guardrail"))
        .containsExactly("block-pay-any-any");
  }

  private static ObjectNode between(ObjectNode guardrail, Instant from, Instant until) {
    return with(
        guardrail, "{'within':{'between':[{'from':'%s','until':'%s'}]}}".formatted(from, until));
  }

  @Test
  void anActionProposedOutsideTheWindowShowsThatItIsClosed(Given given) {
    Instant end = Instant.parse("2026-01-01T00:00:00Z");
    Operator operator =
        given.operator(between(Given.allow(Given.REFUND), end.minusSeconds(60), end));
    String action = blocked(given, operator, operator.refund("a", "12.50"));
    JsonNode proposal = explanation(given, action).path("proposal");
    assertThat(proposal.at("/considered/0/matched").asBoolean()).isFalse();
    JsonNode within = proposal.at("/considered/0/conditions/0");
    assertThat(within.path("on").asText()).isEqualTo("within");
    assertThat(within.at("/asked/between/0/until").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(within.at("/got/at")).isEqualTo(proposal.path("at"));
    assertThat(within.path("held").asText()).isEqualTo("fails");
  }

  @Test
  void anActionWhoseWindowClosedBeforeItsTurnIsExplainedAtBothInstants(Given given) {
    Instant start = Instant.now().minusSeconds(60);
    Operator operator =
        given.operator(between(Given.alert(Given.REFUND), start, start.plusSeconds(3_600)));
    Plan plan = operator.propose(operator.refund("a", "1"), operator.refund("a", "2"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Together.Running<Answer> approval = Together.start(plan::tryApprove);
    gate.awaitCall();
    operator.guardrails(between(Given.alert(Given.REFUND), start, Instant.now()));
    gate.open();
    assertThat(approval.result().status()).isIn(200, 202);
    JsonNode receipt = plan.await("executed").receipt(1);
    assertThat(receipt.path("reason").asText()).isEqualTo("outside_window");
    JsonNode explanation = explanation(given, plan.actionId(1));
    JsonNode execution = explanation.path("execution");
    assertThat(explanation.at("/proposal/reproduced").asBoolean()).isTrue();
    assertThat(explanation.at("/proposal/considered/0/matched").asBoolean()).isTrue();
    assertThat(execution.path("guardrails_version").asLong()).isEqualTo(2);
    assertThat(execution.path("at")).isEqualTo(receipt.path("evaluated_at"));
    assertThat(execution.at("/verdict/reason").asText()).isEqualTo("outside_window");
    assertThat(execution.path("reproduced").asBoolean()).isTrue();
    assertThat(execution.at("/considered/0/matched").asBoolean()).isFalse();
    assertThat(explanation(given, plan.actionId(0)).path("execution").isNull()).isTrue();
  }

  @Test
  void anUndoIsExplainedByTheGuardrailOfTheOriginal(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND), Given.alert(Given.CANCEL));
    Plan plan = operator.propose(operator.refund("a", "12.50")).await("executed");
    String undo =
        given
            .api()
            .post("/v1/actions/" + plan.actionId(0) + "/undo")
            .is(200)
            .path("undo_action_id")
            .asText();
    JsonNode proposal = explanation(given, undo).path("proposal");
    assertThat(proposal.path("reproduced").asBoolean()).isTrue();
    assertThat(proposal.at("/verdict/rule").asText()).isEqualTo("allow-pay-refund-create");
    assertThat(proposal.at("/considered/0"))
        .isEqualTo(
            json(
                "{'guardrail':'allow-pay-refund-create','decision':'ALLOW','matched':true,'conditions':[]}"));
    assertThat(proposal.at("/considered/1/guardrail").asText())
        .isEqualTo("alert-pay-refund-cancel");
  }

  @Test
  void aSimulationExplainsEachActionIfAsked(Given given) {
    ObjectNode small = with(Given.allow(Given.REFUND), "{'max_value':50}");
    small
        .putArray("limits")
        .addObject()
        .put("per", "operator")
        .put("window_seconds", 3_600)
        .put("max_actions", 1);
    Operator operator = given.operator(small);
    ObjectNode body = Json.object().put("explain", true).put("at", "2026-12-24T09:00:00Z");
    body.putArray("actions")
        .add(without(operator.refund("a", "20"), "idempotency_key"))
        .add(without(operator.refund("b", "20"), "idempotency_key"))
        .add(without(operator.refund("c", "70"), "idempotency_key"));
    JsonNode simulated = simulate(operator, body);
    JsonNode explanations = simulated.path("explanations");
    assertThat(explanations).hasSize(3).allSatisfy(ExplanationSpec::ofShape);
    assertThat(explanations.findValues("verdict"))
        .isEqualTo(simulated.path("verdicts").valueStream().toList());
    assertThat(explanations)
        .allSatisfy(
            one -> {
              assertThat(one.path("guardrails_version").asLong()).isEqualTo(1);
              assertThat(one.path("at").asText()).isEqualTo("2026-12-24T09:00:00.000Z");
              assertThat(one.path("reproduced").asBoolean()).isTrue();
            });
    assertThat(explanations.at("/0/limited_by")).isEmpty();
    assertThat(explanations.at("/1/verdict/decision").asText()).isEqualTo("ALERT");
    assertThat(explanations.at("/1/limited_by"))
        .isEqualTo(
            json("[{'per':'operator','window_seconds':3600,'max_actions':1,'max_value':null}]"));
    assertThat(explanations.at("/2/considered/0/conditions/1/held").asText()).isEqualTo("fails");
    body.putArray("guardrails").add(Given.block("pay.*.*"));
    JsonNode other = simulate(operator, body).at("/explanations/2");
    assertThat(other.path("guardrails_version").isNull()).isTrue();
    assertThat(other.at("/considered/0/guardrail").asText()).isEqualTo("block-pay-any-any");
    assertThat(simulate(operator, body.put("explain", false)).has("explanations")).isFalse();
    assertThat(simulate(operator, without(body, "explain")).has("explanations")).isFalse();
    given
        .api()
        .post(operator.guardrailsPath() + "/simulate", body.put("explain", "yes"))
        .isInvalid("explain");
  }

  /** An answer has at most some 6 MB; 5,000 comparisons with a long text take a quarter of that. */
  @Test
  void explanationsThatAreTooLongForAnAnswerAreRefused(Given given) {
    Operator operator = given.operator();
    ObjectNode body = Json.object().put("explain", true);
    ArrayNode guardrails = body.putArray("guardrails");
    for (int number = 0; number < 100; number++) {
      ObjectNode guardrail = guardrails.addObject();
      guardrail.put("name", "g" + number).put("decision", "ALERT").put("tool", Given.NOTE);
      ArrayNode args = guardrail.putObject("conditions").putArray("args");
      for (int at = 0; at < 50; at++) {
        args.addObject().put("path", "/text").put("op", "prefix").put("value", "x");
      }
    }
    ArrayNode actions = body.putArray("actions");
    for (int number = 0; number < 2; number++) {
      ObjectNode note = without(operator.note("n" + number), "idempotency_key");
      ((ObjectNode) note.path("args")).put("text", "x".repeat(1_000));
      actions.add(note);
    }
    JsonNode explained = simulate(operator, body).at("/explanations/1/considered");
    assertThat(explained).hasSize(100);
    assertThat(explained.at("/0/conditions/0/got").asText()).endsWith("…").hasSizeLessThan(200);
    actions.add(actions.path(0));
    given.api().post(operator.guardrailsPath() + "/simulate", body).isInvalid("explain");
    simulate(operator, body.put("explain", false));
  }

  @Test
  void anExplanationNeedsBothScopesAndAVisibleAction(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator other = given.operator(Given.alert(Given.REFUND));
    String action = operator.propose(operator.refund("a", "12.50")).actionId(0);
    given.apiOfScopes("actions:read").get(path(action)).isError(403, "insufficient_scope");
    given.apiOfScopes("operators:read").get(path(action)).isError(403, "insufficient_scope");
    given.apiOfScopes("actions:read", "operators:read").get(path(action)).is(200);
    bound(given, operator).get(path(action)).is(200);
    bound(given, other).get(path(action)).isError(404, "not_found");
    given.testApi().get(path(action)).isError(404, "not_found");
    given.api().get(path(EveryRoute.unknown("action_id"))).isError(404, "not_found");
    given.api().get(path("act_1")).isError(404, "not_found");
  }

  @Test
  void anExplanationOfAnotherTenantIsUnknown(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String action = operator.propose(operator.refund("a", "12.50")).actionId(0);
    given.anotherTenant().get(path(action)).isError(404, "not_found");
  }

  private static Api bound(Given given, Operator operator) {
    ObjectNode key = Json.object().put("role", "agent");
    key.putArray("operator_ids").add(operator.id());
    return given.apiWith(key);
  }
}
