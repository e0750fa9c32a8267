package io.actiongovernance.localstack.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.Operator.Plan;
import io.actiongovernance.localstack.acceptance.Together.Running;
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
  void aKeyIsOneAcrossOperatorsConnectorsToolsAndEntities(Given given) {
    String key = Given.unique("once");
    Operator one = given.operator(Given.allow(Given.REFUND));
    one.propose(under(key, one.refund("a")));
    Operator other =
        given.operatorOf(
            given.api(), given.install(given.api(), null), Json.object(), Given.allow(Given.NOTE));
    assertDeduplicated(other.propose(under(key, other.note("elsewhere"))), 0);
    assertThat(given.upstream().calls()).hasSize(1);
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
    Operator operator = given.operator(Given.allow(Given.REFUND), Given.allow(Given.NOTE));
    String key = Given.unique("once");
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> first =
        Together.start(() -> operator.tryPropose(under(key, operator.refund("a"))));
    gate.awaitCall();
    Running<Answer> second =
        Together.start(() -> operator.tryPropose(under(key, operator.note("elsewhere"))));
    gate.open();
    first.result().is(201);
    Plan deduplicated = new Plan(given.api(), second.result().is(201)).await("executed");
    assertDeduplicated(deduplicated, 0);
    assertThat(given.upstream().calls("/notes")).isEmpty();
  }

  @Test
  void manyPlansUnderOneKeyAtOnceApplyItOnce(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().honoursKeys(false);
    String key = Given.unique("once");
    List<Plan> plans =
        Together.all(8, number -> operator.propose(under(key, operator.refund("c" + number))));
    plans.forEach(plan -> plan.await("executed"));
    assertThat(given.upstream().effects()).hasSize(1);
    assertThat(plans)
        .extracting(plan -> plan.action(0).path("disposition").asText())
        .filteredOn("ALLOW"::equals)
        .hasSize(1);
  }

  @Test
  void whatAnAgentProposesAgainForAnEventRunsOnceThoughNoKeyIsGiven(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String event = given.event("desk.asked", Json.object()).path("id").asText();
    ObjectNode refund = operator.refund("a");
    refund.remove("idempotency_key");
    ObjectNode proposal = Operator.proposal(refund).put("event_id", event);
    String path = "/v1/operators/" + operator.id() + "/plans";
    Plan first = new Plan(given.api(), given.api().postPatiently(path, proposal).is(201));
    Plan second = new Plan(given.api(), given.api().postPatiently(path, proposal).is(201));
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(first.action(0).path("disposition").asText()).isEqualTo("ALLOW");
    assertDeduplicated(second, 0);
    // Without an event there is nothing that two proposals could both be of.
    proposal.remove("event_id");
    Plan third = new Plan(given.api(), given.api().postPatiently(path, proposal).is(201));
    assertThat(third.action(0).path("disposition").asText()).isEqualTo("ALLOW");
  }
}
