package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
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
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Where plans come from: events, and outside agents (specification, rule 1; contract, section 4).
 */
@Acceptance
final class ProposalsSpec {
  private static final Duration LONGEST = Duration.ofSeconds(45);

  /** An operator that watches a type of its own and refunds by script; answers with the type. */
  private static String type() {
    return "order.t" + Given.unique("x").replace("-", "");
  }

  private static Operator scripted(
      Given given, String type, String plans, ObjectNode... guardrails) {
    return scripted(given, type, Json.object(), plans, guardrails);
  }

  private static Operator scripted(
      Given given, String type, ObjectNode fields, String plans, ObjectNode... guardrails) {
    ObjectNode body = fields.deepCopy();
    body.putObject("triggers").putArray("event_types").add(type);
    body.putObject("model")
        .put("provider", "scripted")
        .set("plans", Json.read(plans.replace("$CONNECTOR", given.connector())));
    return given.operatorWith(body, guardrails);
  }

  private static final String REFUND =
      """
      [{"event_type":"order.*","reasoning":"Order {{payload.id}} is to be refunded.","actions":[
        {"connector":"$CONNECTOR","tool":"pay.refund.create","entity_key":"charge:{{payload.id}}",
         "args":{"charge":"{{payload.id}}","amount":"{{payload.amount}}","memo":"of {{source}}"},
         "value":"{{payload.amount}}"}]}]
      """;

  private static Plan awaitPlan(Given given, Operator operator) {
    List<String> ids =
        Await.until(
            LONGEST,
            () -> given.api().get("/v1/plans?operator_id=" + operator.id()).ids(),
            found -> !found.isEmpty());
    assertThat(ids).hasSize(1);
    return new Plan(given.api(), given.api().get("/v1/plans/" + ids.getFirst()).is(200));
  }

  private static ObjectNode order(String id, double amount) {
    return Json.object().put("id", id).put("amount", java.math.BigDecimal.valueOf(amount));
  }

  @Test
  void anOperatorThatWatchesAnEventProposesForIt(Given given) {
    String type = type();
    Operator operator = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    JsonNode event = given.event(type, order("o1", 12.5));
    JsonNode plan = Shape.PLAN.of(awaitPlan(given, operator).json());
    assertThat(plan.path("event_id")).isEqualTo(event.path("id"));
    assertThat(plan.path("correlation_id")).isEqualTo(event.path("correlation_id"));
    assertThat(plan.path("reasoning").asText()).isEqualTo("Order o1 is to be refunded.");
    JsonNode action = plan.at("/actions/0");
    assertThat(action.path("entity_key").asText()).isEqualTo("charge:o1");
    assertThat(action.at("/args/charge").asText()).isEqualTo("o1");
    assertThat(action.at("/args/amount").isNumber()).isTrue();
    assertThat(action.at("/args/memo").asText()).isEqualTo("of shop");
    assertThat(action.path("value").decimalValue()).isEqualByComparingTo("12.5");
    assertThat(action.path("idempotency_key").asText()).isNotEmpty();
    JsonNode now = given.api().get("/v1/events/" + event.path("id").asText()).is(200);
    assertThat(now.path("plan_ids")).hasSize(1);
    assertThat(now.at("/plan_ids/0")).isEqualTo(plan.path("id"));
  }

  @Test
  void anUnheldPlanOfAnEventRunsByItselfAndItsReceiptNamesTheIngest(Given given) {
    String type = type();
    Operator operator = scripted(given, type, REFUND, Given.allow(Given.REFUND));
    ObjectNode body = Json.object().put("source", "shop").put("event_type", type);
    body.set("payload", order("o1", 1));
    Answer ingest = given.api().post("/v1/events", body);
    String event = ingest.is(201).path("id").asText();
    Plan plan = awaitPlan(given, operator).await("executed");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("event_id").asText()).isEqualTo(event);
    assertThat(receipt.path("request_id").asText()).isEqualTo(ingest.header("X-Request-Id"));
    assertThat(receipt.path("approver").isNull()).isTrue();
  }

  @Test
  void everyWatchingOperatorProposesOnceAndOthersDoNot(Given given) {
    String type = type();
    Operator one = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    Operator two = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    Operator other = scripted(given, type(), REFUND, Given.alert(Given.REFUND));
    String event = given.event(type, order("o1", 1)).path("id").asText();
    Plan first = awaitPlan(given, one);
    Plan second = awaitPlan(given, two);
    assertThat(given.api().get("/v1/plans?event_id=" + event).ids())
        .containsExactlyInAnyOrder(first.id(), second.id());
    assertThat(given.api().get("/v1/plans?operator_id=" + other.id()).data()).isEmpty();
  }

  @Test
  void theFirstPlanWhoseConditionsHoldIsProposed(Given given) {
    String type = type();
    String plans =
        """
        [{"event_type":"order.*","when":[{"path":"/amount","op":"gt","value":100}],"reasoning":"large","actions":[$A]},
         {"event_type":"other.*","reasoning":"other","actions":[$A]},
         {"event_type":"order.*","when":[{"path":"/amount","op":"gt","value":10}],"reasoning":"small","actions":[$A]}]
        """
            .replace(
                "$A",
                """
                {"connector":"$CONNECTOR","tool":"desk.note.add","args":{},"entity_key":"e"}
                """);
    Operator operator = scripted(given, type, plans, Given.alert(Given.NOTE));
    given.event(type, order("none", 1));
    given.event(type, order("o1", 50));
    assertThat(awaitPlan(given, operator).json().path("reasoning").asText()).isEqualTo("small");
  }

  @Test
  void aProposalThatCannotBeAPlanIsRefusedWithAReceipt(Given given) {
    String type = type();
    Operator operator =
        scripted(given, type, REFUND.replace("refund.create", "refund.nope"), Given.allow("a.b"));
    JsonNode event = given.event(type, order("o1", 1));
    List<JsonNode> receipts =
        Await.until(
            LONGEST,
            () -> given.api().get("/v1/receipts?operator_id=" + operator.id()).data(),
            found -> !found.isEmpty());
    assertThat(receipts).hasSize(1);
    JsonNode receipt = Shape.RECEIPT.of(receipts.getFirst());
    assertThat(receipt.path("kind").asText()).isEqualTo("proposal");
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("event_id")).isEqualTo(event.path("id"));
    assertThat(receipt.path("reason").asText()).contains("tool");
    assertThat(receipt.path("plan_id").isNull()).isTrue();
    assertThat(receipt.path("billable").asBoolean()).isFalse();
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data()).isEmpty();
  }

  @Test
  void aPausedOperatorDoesNotPropose(Given given) {
    String type = type();
    Operator paused = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    given.api().post("/v1/operators/" + paused.id() + "/pause").is(200);
    Operator active = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    given.event(type, order("o1", 1));
    awaitPlan(given, active);
    assertThat(given.api().get("/v1/plans?operator_id=" + paused.id()).data()).isEmpty();
  }

  @Test
  void reproposingUsesTheCurrentGuardrails(Given given) {
    String type = type();
    Operator operator = scripted(given, type, REFUND);
    String event = given.event(type, order("o1", 1)).path("id").asText();
    Plan blocked = awaitPlan(given, operator).await("executed");
    assertThat(blocked.receipt(0).path("outcome").asText()).isEqualTo("refused");
    operator.guardrails(Given.alert(Given.REFUND));
    String path = "/v1/operators/" + operator.id() + "/repropose";
    ObjectNode body = Json.object().put("event_id", event);
    String key = Given.unique("idem");
    Answer accepted = given.api().post(path, body, "Idempotency-Key", key);
    JsonNode request = Shape.PROPOSAL_REQUEST.of(accepted.is(202));
    assertThat(request.path("object").asText()).isEqualTo("proposal_request");
    assertThat(request.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(request.path("event_id").asText()).isEqualTo(event);
    given.api().post(path, body, "Idempotency-Key", key).is(200);
    List<JsonNode> plans =
        Await.until(
            LONGEST,
            () -> given.api().get("/v1/plans?event_id=" + event).data(),
            found -> found.size() > 1);
    assertThat(plans).hasSize(2);
    assertThat(plans.getFirst().path("status").asText()).isEqualTo("proposed");
    Plan again =
        new Plan(
            given.api(),
            given.api().get("/v1/plans/" + plans.getFirst().path("id").asText()).is(200));
    assertThat(again.json().at("/actions/0/idempotency_key"))
        .isEqualTo(blocked.json().at("/actions/0/idempotency_key"));
    assertThat(again.approve().at("/results/0/ok").asBoolean()).isTrue();
  }

  @Test
  void reproposingNeedsAnActiveOperatorAnEventAndItsScope(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String path = "/v1/operators/" + operator.id() + "/repropose";
    Api api = given.api();
    String event = given.event(type(), Json.object()).path("id").asText();
    ObjectNode body = Json.object().put("event_id", event);
    assertThat(api.post(path).isError(400, "missing_parameter").path("param").asText())
        .isEqualTo("event_id");
    api.post(path, Json.object().put("event_id", "nonsense")).isInvalid("event_id");
    api.post(path, Json.object().put("event_id", "ev_00000000000000000000000000"))
        .isError(404, "not_found");
    api.post("/v1/operators/op_00000000000000000000000000/repropose", body)
        .isError(404, "not_found");
    given.apiOfRole("operate").post(path, body).isError(403, "insufficient_scope");
    api.post("/v1/operators/" + operator.id() + "/pause").is(200);
    api.post(path, body).isError(409, "state_conflict");
  }

  @Test
  void anOutsideAgentsProposalIsAlwaysANewPlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode action = operator.refund("a");
    Plan one = operator.propose(action);
    Plan two = operator.propose(action);
    assertThat(one.id()).isNotEqualTo(two.id());
    String key = Given.unique("idem");
    String path = "/v1/operators/" + operator.id() + "/plans";
    Answer first = given.api().post(path, Operator.proposal(action), "Idempotency-Key", key);
    Answer again = given.api().post(path, Operator.proposal(action), "Idempotency-Key", key);
    first.is(201);
    again.is(200);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data()).hasSize(3);
  }

  @Test
  void aKeyThatMayOnlyProposeCannotApprove(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Api agent = given.apiOfScopes("plans:propose");
    String path = "/v1/operators/" + operator.id() + "/plans";
    JsonNode plan = agent.post(path, Operator.proposal(operator.refund("a"))).is(201);
    agent
        .post("/v1/plans/" + plan.path("id").asText() + "/approve")
        .isError(403, "insufficient_scope");
    agent
        .put("/v1/operators/" + operator.id() + "/guardrails", Json.object())
        .isError(403, "insufficient_scope");
    given
        .apiOfRole("operate")
        .post(path, Operator.proposal(operator.refund("a")))
        .isError(403, "insufficient_scope");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void aProposalRefusedWholeByPolicyIsPolicyBlocked(Given given) {
    Operator operator = given.operator();
    JsonNode error =
        operator
            .tryPropose(operator.refund("a"), operator.refund("b"))
            .isError(422, "policy_blocked");
    JsonNode details = Shape.BLOCKED_DETAILS.of(error.path("details"));
    assertThat(details.path("plan_status").asText()).isEqualTo("executed");
    assertThat(details.path("verdicts")).hasSize(2);
    details.path("verdicts").forEach(Shape.BLOCKED_VERDICT::of);
    String plan = details.path("plan_id").asText();
    assertThat(given.api().get("/v1/receipts?outcome=refused&plan_id=" + plan).data()).hasSize(2);
    assertThat(given.api().get("/v1/actions?disposition=BLOCK&plan_id=" + plan).data()).hasSize(2);
  }

  @Test
  void anInvalidProposalIs400AndLeavesOneReceipt(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode good = operator.refund("a");
    assertRefused(
        operator, "actions[1].connector", good, operator.refund("a").put("connector", "cn_x"));
    assertRefused(
        operator,
        "actions[1].connector",
        good,
        operator.refund("a").put("connector", "cn_00000000000000000000000000"));
    assertRefused(operator, "actions[1].tool", good, operator.refund("a").put("tool", "pay.nope"));
    assertRefused(
        operator,
        "actions[0].args",
        operator.action(Given.REFUND, "e", Json.object().put("amount", 1)));
    assertRefused(
        operator,
        "actions[0].args",
        operator.action(Given.REFUND, "e", Json.object().put("charge", 7)));
    assertRefused(operator, "actions[0].value", operator.refund("a").put("value", "much"));
    ObjectNode without = operator.note("a");
    without.remove("entity_key");
    Answer missing = operator.tryPropose(without);
    assertThat(missing.status()).isEqualTo(400);
    assertThat(missing.json().at("/error/param").asText()).isEqualTo("actions[0].entity_key");
    ObjectNode[] tooMany = new ObjectNode[51];
    java.util.Arrays.setAll(tooMany, number -> operator.refund("c" + number));
    assertRefused(operator, "actions", tooMany);
    assertThat(given.api().get("/v1/plans?operator_id=" + operator.id()).data()).isEmpty();
    assertThat(given.api().get("/v1/receipts?operator_id=" + operator.id()).data()).hasSize(8);
    assertThat(given.upstream().calls()).isEmpty();
  }

  private static void assertRefused(Operator operator, String param, ObjectNode... actions) {
    Answer answer = operator.tryPropose(actions);
    answer.isInvalid(param);
    List<JsonNode> receipts =
        operator.api().get("/v1/receipts?request_id=" + answer.header("X-Request-Id")).data();
    assertThat(receipts).describedAs(param).hasSize(1);
    JsonNode receipt = Shape.RECEIPT.of(receipts.getFirst());
    assertThat(receipt.path("kind").asText()).isEqualTo("proposal");
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(receipt.path("reason").asText()).isNotEmpty();
  }

  @Test
  void aMalformedProposalIs400(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String path = "/v1/operators/" + operator.id() + "/plans";
    Api api = given.api();
    assertThat(api.post(path).isError(400, "missing_parameter").path("param").asText())
        .isEqualTo("actions");
    api.post(path, Operator.proposal()).isInvalid("actions");
    api.post(path, Json.object().put("actions", "all")).isInvalid("actions");
    api.post(path, Operator.proposal(operator.refund("a")).put("event_id", "x"))
        .isInvalid("event_id");
    api.post(path, Operator.proposal(operator.refund("a")).put("urgent", true)).isInvalid("urgent");
    api.post(path, Operator.proposal(operator.refund("a").put("colour", "red")))
        .isInvalid("actions[0].colour");
    ObjectNode body = Operator.proposal(operator.refund("a"));
    ((ObjectNode) body.at("/actions/0")).remove("tool");
    assertThat(api.post(path, body).isError(400, "missing_parameter").path("param").asText())
        .isEqualTo("actions[0].tool");
  }

  @Test
  void anUnknownEventOrOperatorIs404AndAnInactiveOperator409(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String path = "/v1/operators/" + operator.id() + "/plans";
    Api api = given.api();
    ObjectNode body = Operator.proposal(operator.refund("a"));
    api.post(path, body.deepCopy().put("event_id", "ev_00000000000000000000000000"))
        .isError(404, "not_found");
    api.post("/v1/operators/op_00000000000000000000000000/plans", body).isError(404, "not_found");
    given.anotherTenant().post(path, body).isError(404, "not_found");
    api.post("/v1/operators/" + operator.id() + "/pause").is(200);
    api.post(path, body).isError(409, "state_conflict");
    api.post("/v1/operators/" + operator.id() + "/resume").is(200);
    api.post(path, body).is(201);
    api.delete("/v1/operators/" + operator.id()).is(200);
    api.post(path, body).isError(409, "state_conflict");
  }

  @Test
  void aPlanMayHaveFiftyActions(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    ObjectNode[] actions = new ObjectNode[50];
    java.util.Arrays.setAll(actions, number -> operator.refund("c" + number));
    Plan plan = operator.propose(actions);
    assertThat(plan.actionIds()).hasSize(50).doesNotHaveDuplicates();
    JsonNode result = plan.approve();
    assertThat(result.path("results")).hasSize(50);
    assertThat(given.upstream().effects()).hasSize(50);
  }

  @Test
  void anOmittedEntityKeyIsFilledInByTheTemplate(Given given) {
    Operator operator =
        given.operatorWith(
            Json.object().put("entity_template", "order:{{payload.id}}"), Given.alert(Given.NOTE));
    String event = given.event(type(), Json.object().put("id", "77")).path("id").asText();
    ObjectNode action = operator.note("a");
    action.remove("entity_key");
    action.remove("idempotency_key");
    ObjectNode body = Operator.proposal(action).put("event_id", event);
    JsonNode plan = given.api().post("/v1/operators/" + operator.id() + "/plans", body).is(201);
    assertThat(plan.at("/actions/0/entity_key").asText()).isEqualTo("order:77");
    // The event is the agent's to name, so what the template makes of it is its word.
    assertThat(plan.at("/actions/0/claimed").toString()).isEqualTo("[\"entity_key\"]");
    assertThat(plan.at("/actions/0/idempotency_key").asText()).isNotEmpty();
  }

  @Test
  void anOperatorProposesOnlyWithinItsCapabilities(Given given) {
    ObjectNode fields = Json.object();
    ArrayNode capabilities = fields.putArray("capabilities");
    given.connector();
    capabilities.add("desk.note");
    Operator operator = given.operatorWith(fields, Given.allow("*.*.*"));
    assertThat(operator.propose(operator.note("n")).status()).isEqualTo("executed");
    operator.tryPropose(operator.refund("a")).isInvalid("actions[0].tool");
  }

  /** It keeps the machine busy by itself. */
  @Test
  @EnabledIfSystemProperty(named = "governance.proofs", matches = "true")
  void atMostFiveHundredPlansOfAnOperatorWaitForPeople(Given given) {
    String type = type();
    Operator operator = scripted(given, type, REFUND, Given.alert(Given.REFUND));
    Operator another = given.operator(Given.alert(Given.REFUND));
    List<Answer> all = Together.all(500, at -> operator.tryPropose(operator.refund("held-" + at)));
    assertThat(all).allSatisfy(answer -> answer.is(201));
    operator.tryPropose(operator.refund("more")).isError(429, "quota_exceeded");
    another.tryPropose(another.refund("another's")).is(201);
    given.event(type, order("late", 1.5));
    JsonNode receipt =
        Await.until(
                LONGEST,
                () ->
                    given
                        .api()
                        .get("/v1/receipts?kind=proposal&operator_id=" + operator.id())
                        .data(),
                found -> !found.isEmpty())
            .getFirst();
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).contains("500 plans waiting for approval");
    for (int at = 0; at < 2; at++) {
      new Plan(given.api(), all.get(at).is(201)).tryVeto("Not this one.").is(200);
    }
    operator.tryPropose(operator.refund("more")).is(201);
  }
}
