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
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Vetoing a plan (specification, Plans; contract, section 2). */
@Acceptance
final class VetoSpec {
  @Test
  void aVetoRecordsWhoAndWhyAndNothingRuns(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"));
    String reason = "  Not \"today\"\n— ünï 🙂 ";
    ObjectNode body = Json.object().put("reason", reason).put("vetoed_by", "sam@acme.example");
    Answer veto = given.api().post(plan.path() + "/veto", body);
    JsonNode result = Shape.VETO_RESULT.of(veto.is(200));
    assertThat(result.path("id").asText()).isEqualTo(plan.id());
    assertThat(result.path("object").asText()).isEqualTo("execution_plan");
    assertThat(result.path("status").asText()).isEqualTo("vetoed");
    assertThat(result.path("vetoed_by").asText()).isEqualTo("sam@acme.example");
    assertThat(result.path("veto_reason").asText()).isEqualTo(reason);
    JsonNode now = plan.now().json();
    for (String field : List.of("status", "vetoed_by", "veto_reason", "disposed_at")) {
      assertThat(now.path(field)).describedAs(field).isEqualTo(result.path(field));
    }
    assertThat(now.path("waiting_on").isNull()).isTrue();
    for (int position = 0; position < 2; position++) {
      JsonNode receipt = plan.receipt(position);
      assertThat(receipt.path("outcome").asText()).isEqualTo("vetoed");
      assertThat(receipt.path("action_id").asText()).isEqualTo(plan.actionId(position));
      assertThat(receipt.path("reason").asText()).isEqualTo(reason);
      assertThat(receipt.path("approver").isNull()).isTrue();
      assertThat(receipt.at("/decided_by/0/claimed_as").asText()).isEqualTo("sam@acme.example");
      assertThat(receipt.path("request_id").asText()).isEqualTo(veto.header("X-Request-Id"));
      assertThat(receipt.path("billable").asBoolean()).isFalse();
    }
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void onlyTheProposerWithdrawsAPlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    ObjectNode body = Json.object().put("reason", "The wrong charge.");
    given.api().post(plan.path() + "/withdraw", body).isError(403, "insufficient_scope");
    assertThat(plan.now().status()).isEqualTo("proposed");
    JsonNode result =
        Shape.VETO_RESULT.of(operator.proposer().post(plan.path() + "/withdraw", body).is(200));
    assertThat(result.path("withdrawn").booleanValue()).isTrue();
    assertThat(result.path("veto_reason").asText()).isEqualTo("The wrong charge.");
    JsonNode now = plan.now().json();
    for (String field : List.of("status", "vetoed_by", "vetoed_by_principal", "withdrawn")) {
      assertThat(now.path(field)).describedAs(field).isEqualTo(result.path(field));
    }
    assertThat(now.at("/vetoed_by_principal/id")).isEqualTo(plan.json().at("/proposed_by/id"));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("vetoed");
    operator.proposer().post(plan.path() + "/withdraw", body).isError(409, "state_conflict");
    plan.tryApprove().isError(409, "state_conflict");
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void anExecutedPlanCannotBeWithdrawn(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    plan.approve();
    ObjectNode body = Json.object().put("reason", "Too late.");
    operator.proposer().post(plan.path() + "/withdraw", body).isError(409, "state_conflict");
    assertThat(plan.now().json().path("withdrawn").booleanValue()).isFalse();
  }

  @Test
  void actionsOfAVetoedPlanAreNotListedButCanBeRead(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    plan.tryVeto("No.").is(200);
    assertThat(given.api().get("/v1/actions?plan_id=" + plan.id()).data()).isEmpty();
    JsonNode action = plan.action(0);
    assertThat(action.path("disposition").isNull()).isTrue();
    assertThat(action.path("skipped").asBoolean()).isFalse();
    assertThat(action.path("receipt_id").asText()).startsWith("rc_");
  }

  @Test
  void vetoedByDefaultsToTheKeysName(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String name = Given.unique("desk-key");
    String secret =
        given
            .api()
            .post("/v1/keys", Json.object().put("name", name).put("role", "operate"))
            .is(201)
            .path("secret")
            .asText();
    JsonNode result =
        given
            .api()
            .as(secret)
            .post(plan.path() + "/veto", Json.object().put("reason", "No."))
            .is(200);
    assertThat(result.path("vetoed_by").asText()).isEqualTo(name);
  }

  @Test
  void aDisposedPlanCannotBeVetoed(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan vetoed = operator.propose(operator.refund("a"));
    vetoed.tryVeto("First.").is(200);
    vetoed.tryVeto("Second.").isError(409, "state_conflict");
    assertThat(vetoed.now().json().path("veto_reason").asText()).isEqualTo("First.");
    Plan executed = operator.propose(operator.refund("b"));
    executed.approve();
    executed.tryVeto("Late.").isError(409, "state_conflict");
    assertThat(given.api().get("/v1/receipts?plan_id=" + executed.id()).data()).hasSize(1);
  }

  @Test
  void oneOfConcurrentVetoesAndApprovalsWins(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    List<Answer> answers =
        Together.all(8, number -> number % 2 == 0 ? plan.tryApprove() : plan.tryVeto("No."));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    String status =
        Await.until(
                java.time.Duration.ofSeconds(10),
                plan::now,
                now -> !now.status().equals("proposed"))
            .status();
    assertThat(given.upstream().calls()).hasSize(status.equals("executed") ? 1 : 0);
    assertThat(given.api().get("/v1/receipts?plan_id=" + plan.id()).data()).hasSize(1);
  }

  @Test
  void reasonIsRequiredAndHasItsLimits(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String path = plan.path() + "/veto";
    Api api = given.api();
    JsonNode missing = api.post(path).isError(400, "missing_parameter");
    assertThat(missing.path("param").asText()).isEqualTo("reason");
    assertThat(missing.path("message").asText()).contains("reason");
    api.post(path, Json.object().put("reason", "")).isInvalid("reason");
    api.post(path, Json.object().put("reason", "x".repeat(2_001))).isInvalid("reason");
    api.post(path, Json.object().put("reason", 7)).isInvalid("reason");
    api.post(path, Json.object().put("reason", "No.").put("vetoed_by", "")).isInvalid("vetoed_by");
    api.post(path, Json.object().put("reason", "No.").put("loud", true)).isInvalid("loud");
    assertThat(plan.now().status()).isEqualTo("proposed");
    api.post(path, Json.object().put("reason", "x".repeat(2_000))).is(200);
  }

  @Test
  void aReplayedVetoReturnsTheSameAnswer(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String key = Given.unique("idem");
    ObjectNode body = Json.object().put("reason", "No.");
    Answer first = given.api().post(plan.path() + "/veto", body, "Idempotency-Key", key);
    Answer again = given.api().post(plan.path() + "/veto", body, "Idempotency-Key", key);
    first.is(200);
    assertThat(again.is(200)).isEqualTo(first.json());
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void anUnheldPlanThatWaitsCanBeVetoed(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Plan waiting = operator.proposeBehindALock(operator.note("charge:a"));
    assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
    waiting.tryVeto("Not after that.").is(200);
    gate.open();
    holding.result().is(200);
    // The next plan on the entity does not wait for the vetoed one.
    operator.propose(operator.note("charge:a")).await("executed");
    assertThat(waiting.now().status()).isEqualTo("vetoed");
    assertThat(given.upstream().calls("/notes")).hasSize(1);
  }

  @Test
  void vetoingNeedsItsScopeAndAPlan(Given given) {
    ObjectNode body = Json.object().put("reason", "No.");
    String nobody = "/v1/plans/pl_00000000000000000000000000/veto";
    given.apiOfRole("read_only").post(nobody, body).isError(403, "insufficient_scope");
    given.apiOfRole("operate").post(nobody, body).isError(404, "not_found");
  }
}
