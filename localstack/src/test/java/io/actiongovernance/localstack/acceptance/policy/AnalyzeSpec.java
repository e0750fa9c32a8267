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
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import org.junit.jupiter.api.Test;

/** What can be proved of guardrails (contract, section 4): nothing is written. */
@Acceptance
final class AnalyzeSpec {
  private static Answer analyze(Api api, Operator operator, ObjectNode body) {
    return api.post("/v1/operators/" + operator.id() + "/guardrails/analyze", body);
  }

  private static JsonNode analyzed(Operator operator, ObjectNode... proposed) {
    ObjectNode body = Json.object();
    if (proposed.length > 0) {
      ArrayNode list = body.putArray("guardrails");
      for (ObjectNode guardrail : proposed) {
        list.add(guardrail);
      }
    }
    return Shape.GUARDRAIL_ANALYSIS.of(analyze(operator.api(), operator, body).is(200));
  }

  private static ObjectNode upTo(ObjectNode guardrail, String value) {
    guardrail.putObject("conditions").put("max_value", value);
    return guardrail;
  }

  @Test
  void theOperatorsOwnGuardrailsAreAnalysedAndNothingIsWritten(Given given) {
    Operator operator =
        given.operator(
            upTo(Given.allow(Given.REFUND), "10"),
            upTo(Given.alert("pay.refund.*"), "5").put("priority", 200),
            upTo(Given.alert("pay.*.create"), "20"),
            Given.allow("no.such.tool"),
            Given.block(Given.DELETE),
            Given.allow("data.*.*").put("priority", 300));
    String before = EveryRoute.everything(given.api());
    JsonNode analysis = analyzed(operator);
    assertThat(analysis.path("object").asText()).isEqualTo("guardrail_analysis");
    assertThat(analysis.path("complete").asBoolean()).isTrue();
    assertThat(analysis.path("uncovered_tools")).isEqualTo(Json.read("[\"desk.note.add\"]"));
    assertThat(analysis.path("unreachable"))
        .isEqualTo(
            Json.read(
                "[\"allow-pay-refund-create\",\"allow-no-such-tool\",\"allow-data-any-any\"]"));
    assertThat(analysis.path("matches_no_tool")).isEqualTo(Json.read("[\"allow-no-such-tool\"]"));
    assertThat(analysis.path("conflicts")).hasSize(1);
    JsonNode conflict = analysis.at("/conflicts/0");
    assertThat(conflict.path("guardrails"))
        .isEqualTo(Json.read("[\"alert-pay-any-create\",\"allow-pay-refund-create\"]"));
    assertThat(simulated(operator, conflict.path("action")).path("verdicts").path(0))
        .isEqualTo(conflict.path("verdict"));
    assertThat(analysis.path("permits_more")).isEmpty();
    assertThat(EveryRoute.everything(given.api())).isEqualTo(before);
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aMinimumBelowZeroPermitsMore(Given given) {
    Operator operator = given.operator(upTo(Given.allow(Given.REFUND), "10"));
    ObjectNode looser = upTo(Given.allow(Given.REFUND), "10");
    ((ObjectNode) looser.path("conditions")).put("min_value", "-10");
    JsonNode more = analyzed(operator, looser).path("permits_more");
    assertThat(more).hasSize(1);
    assertThat(more.at("/0/action/value").decimalValue()).isNegative();
    ObjectNode said = upTo(Given.allow(Given.REFUND), "10");
    ((ObjectNode) said.path("conditions")).put("min_value", 0);
    assertThat(analyzed(operator, said).path("permits_more")).as("what is implied").isEmpty();
  }

  @Test
  void aLooserSetIsShownByAnActionThatSimulatesAlike(Given given) {
    Operator operator = given.operator(upTo(Given.allow(Given.REFUND), "10"));
    ObjectNode looser = upTo(Given.allow(Given.REFUND), "10.01");
    JsonNode analysis = analyzed(operator, looser.deepCopy());
    assertThat(analysis.path("permits_more")).hasSize(1);
    JsonNode more = analysis.at("/permits_more/0");
    assertThat(more.path("before"))
        .isEqualTo(
            Json.read(
                "{\"decision\":\"BLOCK\",\"tier\":2,\"rule\":null,\"reason\":null,\"limit\":null}"));
    assertThat(more.path("after"))
        .isEqualTo(
            Json.read(
                "{\"decision\":\"ALLOW\",\"tier\":2,\"rule\":\"allow-pay-refund-create\",\"reason\":null,\"limit\":null}"));
    JsonNode action = more.path("action");
    assertThat(action.at("/args/charge").isTextual()).as("fits the tool's schema").isTrue();
    assertThat(simulated(operator, action).path("verdicts").path(0)).isEqualTo(more.path("before"));
    assertThat(simulated(operator, action, looser).path("verdicts").path(0))
        .isEqualTo(more.path("after"));
    JsonNode stricter = analyzed(operator, upTo(Given.allow(Given.REFUND), "9.99"));
    assertThat(stricter.path("permits_more")).isEmpty();
    assertThat(stricter.path("complete").asBoolean()).isTrue();
  }

  @Test
  void whatLoosensIsNamed(Given given) {
    ObjectNode refund = Given.allow(Given.REFUND);
    ObjectNode ask = Given.alert(Given.NOTE);
    ObjectNode stop = Given.block(Given.DELETE);
    Operator operator = given.operator(upTo(refund.deepCopy(), "10"), ask, stop);
    ObjectNode read = Given.allow(Given.READ);
    ObjectNode off = stop.deepCopy().put("enabled", false);
    assertThat(analyzed(operator, upTo(refund.deepCopy(), "10.01"), read, off).path("loosens"))
        .isEqualTo(
            Json.read(
                """
                [{"guardrail":"alert-desk-note-add","change":"removed"},
                 {"guardrail":"allow-pay-charge-read","change":"added"},
                 {"guardrail":"allow-pay-refund-create","change":"changed"},
                 {"guardrail":"block-data-record-delete","change":"removed"}]
                """));
  }

  @Test
  void aTighteningNamesNothing(Given given) {
    ObjectNode refund = Given.allow(Given.REFUND);
    ObjectNode ask = Given.alert(Given.NOTE);
    Operator operator = given.operator(refund, Given.allow(Given.READ), ask);
    ObjectNode within = upTo(refund.deepCopy(), "10");
    within
        .withObject("/conditions")
        .set(
            "within",
            Json.read(
                """
                {"zone":"Europe/Berlin","weekly":[{"days":["mon"],"from":"09:00","to":"17:00"}]}
                """));
    within
        .putArray("limits")
        .add(Json.read("{\"per\":\"operator\",\"window_seconds\":60,\"max_actions\":1}"));
    JsonNode analysis = analyzed(operator, Given.block("*.*.*"), ask.deepCopy(), within);
    assertThat(analysis.path("loosens")).isEmpty();
    assertThat(analysis.path("permits_more")).isEmpty();
    assertThat(analyzed(operator).path("loosens")).as("no change").isEmpty();
  }

  /** A raised limit permits no action more by itself, so only the rule names it. */
  @Test
  void aRaisedLimitLoosens(Given given) {
    ObjectNode refund = Given.allow(Given.REFUND);
    ObjectNode limit =
        Json.object().put("per", "operator").put("window_seconds", 60).put("max_actions", 1);
    refund.putArray("limits").add(limit);
    Operator operator = given.operator(refund.deepCopy());
    limit.put("max_actions", 2);
    JsonNode analysis = analyzed(operator, refund);
    assertThat(analysis.path("permits_more")).isEmpty();
    assertThat(analysis.at("/loosens/0/guardrail").asText()).isEqualTo("allow-pay-refund-create");
    assertThat(analysis.at("/loosens/0/change").asText()).isEqualTo("changed");
  }

  private static JsonNode simulated(Operator operator, JsonNode action, ObjectNode... guardrails) {
    ObjectNode body = Json.object();
    body.putArray("actions").add(action);
    for (ObjectNode guardrail : guardrails) {
      body.withArray("guardrails").add(guardrail);
    }
    return operator
        .api()
        .post("/v1/operators/" + operator.id() + "/guardrails/simulate", body)
        .is(200);
  }

  @Test
  void badInputIsRefused(Given given) {
    Operator operator = given.operator();
    Api api = given.api();
    analyze(api, operator, (ObjectNode) Json.read("{\"guardrails\":[{\"name\":\"x\"}]}"))
        .isError(400, "missing_parameter");
    analyze(api, operator, Json.object().put("guardrails", "x")).isInvalid("guardrails");
    analyze(api, operator, Json.object().put("colour", "red")).isInvalid("colour");
    api.post("/v1/operators/op_" + "0".repeat(26) + "/guardrails/analyze", Json.object())
        .isError(404, "not_found");
    analyze(given.apiOfRole("ingest"), operator, Json.object()).isError(403, "insufficient_scope");
    analyze(given.apiOfRole("read_only"), operator, Json.object()).is(200);
  }
}
