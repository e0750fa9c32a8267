package io.actiongovernance.localstack.acceptance.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An action's idempotency key (specification, rule 5; contract, section 2). */
@Acceptance
final class DedupSpec {
  private static ObjectNode under(String key, ObjectNode action) {
    return action.put("idempotency_key", key);
  }

  private static void assertDeduplicated(Plan plan, int position) {
    JsonNode action = plan.action(position);
    assertThat(action.path("disposition").asText()).isEqualTo("DEDUP");
    assertThat(action.path("ok").asBoolean()).isTrue();
    assertThat(action.has("error")).isFalse();
    assertThat(action.path("undoable").asBoolean()).isFalse();
    JsonNode receipt = plan.receipt(position);
    assertThat(receipt.path("outcome").asText()).isEqualTo("deduplicated");
    assertThat(receipt.path("disposition").asText()).isEqualTo("DEDUP");
    assertThat(receipt.path("billable").asBoolean()).isFalse();
  }

  @Test
  void anAppliedKeyDisposesAsDedupAndIsReceipted(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String key = Given.unique("once");
    Plan first = operator.propose(under(key, operator.refund("a")));
    Plan second = operator.propose(under(key, operator.refund("a")));
    assertThat(first.action(0).path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(second.status()).isEqualTo("executed");
    assertDeduplicated(second, 0);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void aKeyIsAppliedOnceInsideOnePlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String key = Given.unique("once");
    Plan plan =
        operator.propose(under(key, operator.refund("a")), under(key, operator.refund("a")));
    JsonNode result = plan.approve();
    assertThat(result.at("/results/0/disposition").asText()).isEqualTo("ALERT");
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("DEDUP");
    assertThat(result.at("/results/1/ok").asBoolean()).isTrue();
    assertDeduplicated(plan, 1);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void aKeyIsOneAcrossOperators(Given given) {
    String key = Given.unique("once");
    Operator one = given.operator(Given.allow(Given.REFUND));
    Plan first = one.propose(under(key, one.refund("a")));
    Operator other = given.operator(Given.allow(Given.REFUND));
    Plan second = other.propose(under(key, other.refund("a")));
    assertDeduplicated(second, 0);
    assertHeldBy(first, second.action(0), second.receipt(0));
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void anAppliedKeyIsForNoOtherConnectorToolEntityArgumentsValueOrCurrency(Given given) {
    String key = Given.unique("once");
    Operator one = given.operator(Given.allow("*.*.*"));
    Plan first = one.propose(under(key, one.refund("a", "4.20")));
    Operator elsewhere =
        given.operatorOf(
            given.api(), given.install(given.api(), null), Json.object(), Given.allow("*.*.*"));
    ObjectNode inEuros = one.refund("a", "4.20");
    ((ObjectNode) inEuros.path("args")).put("currency", "eur");
    ObjectNode withMemo = one.refund("a", "4.20");
    ((ObjectNode) withMemo.path("args")).put("memo", "again");
    List<ObjectNode> others =
        List.of(
            elsewhere.refund("a", "4.20"),
            one.note("charge:a"),
            one.refund("b", "4.20"),
            one.refund("a", "4.21"),
            one.refund("a"),
            inEuros,
            withMemo);
    for (ObjectNode other : others) {
      Operator by = other.path("connector").asText().equals(one.connector()) ? one : elsewhere;
      assertMismatched(given, by.tryPropose(under(key, other)), first);
    }
    assertDeduplicated(one.propose(under(key, one.refund("a", "4.20"))), 0);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void aKeyOfUnknownOutcomeIsForNoOtherEffect(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Upstream.Behaviour.ActAndDrop());
    String key = Given.unique("once");
    Plan first = operator.propose(under(key, operator.refund("a")));
    assertMismatched(given, operator.tryPropose(under(key, operator.refund("b"))), first);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  /** Refused whole, since the key stands for what the holder does. */
  private static void assertMismatched(Given given, Answer answer, Plan holder) {
    JsonNode verdict = answer.isError(422, "policy_blocked").at("/details/verdicts/0");
    JsonNode action = given.api().get("/v1/actions/" + verdict.path("action_id").asText()).is(200);
    assertThat(action.path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(action.path("ok").asBoolean(true)).isFalse();
    JsonNode receipt =
        given.api().get("/v1/receipts/" + action.path("receipt_id").asText()).is(200);
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).isEqualTo("idempotency_mismatch");
    assertThat(receipt.path("billable").asBoolean(true)).isFalse();
    assertHeldBy(holder, action, receipt);
  }

  private static void assertHeldBy(Plan holder, JsonNode... ones) {
    for (JsonNode one : ones) {
      assertThat(one.path("holder_action_id").asText()).isEqualTo(holder.actionId(0));
      assertThat(one.path("holder_proposed_by")).isEqualTo(holder.json().path("proposed_by"));
    }
  }

  @Test
  void aKeyIsFreeInTheOtherMode(Given given) {
    String key = Given.unique("once");
    Operator live = given.operator(Given.allow(Given.NOTE));
    live.propose(under(key, live.note("a")));
    Api testApi = given.testApi();
    Operator test =
        given.operatorOf(
            testApi, given.install(testApi, null), Json.object(), Given.allow(Given.NOTE));
    Plan plan = test.propose(under(key, test.note("a")));
    assertThat(plan.action(0).path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(given.upstream().calls()).hasSize(2);
  }

  @Test
  void aFailedKeyIsFreeAndTheActionRuns(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Upstream.Behaviour.Fail(400));
    String key = Given.unique("once");
    Plan failed = operator.propose(under(key, operator.refund("a")));
    assertThat(failed.receipt(0).path("outcome").asText()).isEqualTo("failed");
    Plan plan = operator.propose(under(key, operator.refund("a")));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aRefusedKeyIsFreeAndTheActionRuns(Given given) {
    Operator operator = given.operator();
    String key = Given.unique("once");
    operator.tryPropose(under(key, operator.refund("a"))).isError(422, "policy_blocked");
    operator.guardrails(Given.allow(Given.REFUND));
    Plan plan = operator.propose(under(key, operator.refund("a")));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
  }

  @Test
  void aKeyInFlightIsWaitedFor(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String key = Given.unique("once");
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> first =
        Together.start(() -> operator.tryPropose(under(key, operator.refund("a"))));
    gate.awaitCall();
    Running<Answer> second =
        Together.start(() -> operator.tryPropose(under(key, operator.refund("a"))));
    gate.open();
    first.result().is(201);
    Plan deduplicated = new Plan(given.api(), second.result().is(201)).await("executed");
    assertDeduplicated(deduplicated, 0);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void aKeyInFlightIsForNothingElse(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    String key = Given.unique("once");
    Plan first = operator.propose(under(key, operator.refund("a")));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> approving = Together.start(first::tryApprove);
    gate.awaitCall();
    assertMismatched(given, operator.tryPropose(under(key, operator.note("elsewhere"))), first);
    gate.open();
    approving.result().is(200);
    assertThat(given.upstream().calls("/notes")).isEmpty();
  }

  @Test
  void manyPlansUnderOneKeyAtOnceApplyItOnce(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().honoursKeys(false);
    String key = Given.unique("once");
    List<Plan> plans =
        Together.all(8, number -> operator.propose(under(key, operator.refund("a"))));
    plans.forEach(plan -> plan.await("executed"));
    assertThat(given.upstream().effects()).hasSize(1);
    assertThat(plans)
        .extracting(plan -> plan.action(0).path("disposition").asText())
        .containsOnly("ALLOW", "DEDUP")
        .filteredOn("ALLOW"::equals)
        .hasSize(1);
  }

  @Test
  void oneOfManyConcurrentEffectsUnderOneKeyIsApplied(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().honoursKeys(false);
    String key = Given.unique("once");
    List<Answer> answers =
        Together.all(8, number -> operator.tryPropose(under(key, operator.refund("c" + number))));
    assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(1);
    Plan applied =
        answers.stream()
            .filter(answer -> answer.status() == 201)
            .map(answer -> new Plan(given.api(), answer.json()))
            .findFirst()
            .orElseThrow();
    answers.stream()
        .filter(answer -> answer.status() != 201)
        .forEach(answer -> assertMismatched(given, answer, applied));
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aRepeatedProposalForAnEventRunsOnceWithoutAKey(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String event = given.event("desk.asked", Json.object()).path("id").asText();
    ObjectNode refund = operator.refund("a");
    refund.remove("idempotency_key");
    ObjectNode proposal = Operator.proposal(refund).put("event_id", event);
    String path = "/v1/operators/" + operator.id() + "/plans";
    Plan first = new Plan(given.api(), given.api().post(path, proposal).is(201));
    Plan second = new Plan(given.api(), given.api().post(path, proposal).is(201));
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(first.action(0).path("disposition").asText()).isEqualTo("ALLOW");
    assertDeduplicated(second, 0);
    // Without an event nothing says that two proposals are of one thing, but the request's own key.
    proposal.remove("event_id");
    JsonNode error = given.api().post(path, proposal).isError(400, "missing_parameter");
    assertThat(error.path("param").asText()).isEqualTo("actions[0].idempotency_key");
    Plan third = new Plan(given.api(), given.api().postPatiently(path, proposal).is(201));
    assertThat(third.action(0).path("disposition").asText()).isEqualTo("ALLOW");
  }
}
