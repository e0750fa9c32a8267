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
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Approving a plan (specification, Plans and Idempotency replay; contract, section 2). */
@Acceptance
final class ApprovalSpec {
  @Test
  void approvalRunsThePlanAndAnswersWithEveryDisposition(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"), operator.note("n"));
    JsonNode result = Shape.APPROVE_RESULT.of(plan.approve());
    assertThat(result.path("id").asText()).isEqualTo(plan.id());
    assertThat(result.path("object").asText()).isEqualTo("execution_plan");
    assertThat(result.path("status").asText()).isEqualTo("executed");
    assertThat(result.path("note").isNull()).isTrue();
    assertThat(result.path("skipped")).isEmpty();
    assertThat(result.path("results")).hasSize(2);
    for (int position = 0; position < 2; position++) {
      JsonNode one = Shape.DISPOSED.of(result.path("results").path(position));
      assertThat(one.path("action_id").asText()).isEqualTo(plan.actionId(position));
      assertThat(one.path("ok").asBoolean()).isTrue();
      assertThat(one.path("receipt_id")).isEqualTo(plan.action(position).path("receipt_id"));
    }
    assertThat(result.at("/results/0/disposition").asText()).isEqualTo("ALERT");
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("ALLOW");
    JsonNode now = plan.now().json();
    assertThat(now.path("status").asText()).isEqualTo("executed");
    assertThat(now.path("disposed_at")).isEqualTo(result.path("disposed_at"));
    assertThat(given.upstream().effects()).hasSize(2);
  }

  @Test
  void approverAndNoteAreRecordedOnThePlanTheActionsAndTheReceipts(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    ObjectNode body = Json.object().put("approver", "dana@acme.example").put("note", "Fine.");
    JsonNode result = given.api().post(plan.path() + "/approve", body).is(200);
    for (JsonNode where : List.of(result, plan.now().json(), plan.receipt(0))) {
      assertThat(where.path("approver").asText()).isEqualTo("dana@acme.example");
      assertThat(where.path("note").asText()).isEqualTo("Fine.");
    }
    assertThat(plan.action(0).path("approver").asText()).isEqualTo("dana@acme.example");
  }

  @Test
  void theApproverDefaultsToTheKeysName(Given given) {
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
    JsonNode result = given.api().as(secret).post(plan.path() + "/approve").is(200);
    assertThat(result.path("approver").asText()).isEqualTo(name);
    assertThat(plan.receipt(0).path("approver").asText()).isEqualTo(name);
  }

  @Test
  void onlyTheSelectedActionsRunAndTheOthersAreSkipped(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"), operator.refund("c"));
    ObjectNode body = selecting(plan.actionId(1), plan.actionId(1)).put("note", "Just b.");
    JsonNode result = given.api().post(plan.path() + "/approve", body).is(200);
    assertThat(result.path("results")).hasSize(1);
    assertThat(result.at("/results/0/action_id").asText()).isEqualTo(plan.actionId(1));
    assertThat(result.path("skipped")).hasSize(2);
    for (int position : new int[] {0, 2}) {
      JsonNode skipped = Shape.SKIPPED.of(result.path("skipped").path(position / 2));
      assertThat(skipped.path("action_id").asText()).isEqualTo(plan.actionId(position));
      JsonNode action = plan.action(position);
      assertThat(action.path("skipped").asBoolean()).isTrue();
      assertThat(action.path("disposition").isNull()).isTrue();
      assertThat(action.path("receipt_id")).isEqualTo(skipped.path("receipt_id"));
      JsonNode receipt = plan.receipt(position);
      assertThat(receipt.path("outcome").asText()).isEqualTo("skipped");
      assertThat(receipt.path("billable").asBoolean()).isFalse();
      assertThat(receipt.path("note").asText()).isEqualTo("Just b.");
    }
    Lists.hold(given.api(), "/v1/actions?plan_id=" + plan.id(), List.of(plan.actionId(1)));
    assertThat(given.upstream().effects()).hasSize(1);
    assertThat(given.upstream().effects().getFirst().path()).isEqualTo("/refunds/b");
  }

  @Test
  void aSelectionNamesActionsOfThePlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    Plan other = operator.propose(operator.refund("b"));
    String path = plan.path() + "/approve";
    given
        .api()
        .post(path, selecting(plan.actionId(0), other.actionId(0)))
        .isInvalid("action_ids[1]");
    given.api().post(path, selecting("nonsense")).isInvalid("action_ids[0]");
    given.api().post(path, selecting()).isInvalid("action_ids");
    given.api().post(path, Json.object().put("action_ids", "act_1")).isInvalid("action_ids");
    assertThat(plan.now().status()).isEqualTo("proposed");
    assertThat(given.upstream().calls()).isEmpty();
  }

  private static ObjectNode selecting(String... actionIds) {
    ObjectNode body = Json.object();
    var list = body.putArray("action_ids");
    for (String id : actionIds) {
      list.add(id);
    }
    return body;
  }

  @Test
  void fieldsHaveTheirLimits(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String path = plan.path() + "/approve";
    Api api = given.api();
    api.post(path, Json.object().put("approver", "")).isInvalid("approver");
    api.post(path, Json.object().put("approver", "x".repeat(201))).isInvalid("approver");
    api.post(path, Json.object().put("approver", 7)).isInvalid("approver");
    api.post(path, Json.object().put("note", "x".repeat(2_001))).isInvalid("note");
    api.post(path, Json.object().put("force", true)).isInvalid("force");
    assertThat(plan.now().status()).isEqualTo("proposed");
    api.post(path, Json.object().put("approver", "x".repeat(200)).put("note", "x".repeat(2_000)))
        .is(200);
  }

  @Test
  void aDisposedPlanCannotBeApproved(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan executed = operator.propose(operator.refund("a"));
    executed.approve();
    executed.tryApprove().isError(409, "state_conflict");
    Plan vetoed = operator.propose(operator.refund("b"));
    vetoed.tryVeto("No.").is(200);
    vetoed.tryApprove().isError(409, "state_conflict");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aBlockStaysBlockedAndTheRestRuns(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.block(Given.DELETE));
    ObjectNode deletion =
        operator.action(Given.DELETE, "record:1", Json.object().put("record", "1"));
    Plan plan = operator.propose(operator.refund("a"), deletion);
    JsonNode result = plan.approve();
    assertThat(result.at("/results/0/ok").asBoolean()).isTrue();
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("BLOCK");
    assertThat(result.at("/results/1/ok").asBoolean()).isFalse();
    assertThat(given.upstream().calls("/deletions")).isEmpty();
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("refused");
    assertThat(plan.receipt(1).at("/verdict/rule").asText()).isEqualTo("block-data-record-delete");
  }

  @Test
  void whenEverySelectedActionIsRefusedItIsPolicyBlocked(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"));
    operator.guardrails(Given.block(Given.REFUND));
    JsonNode error = plan.tryApprove().isError(422, "policy_blocked");
    Shape.ERROR.of(error);
    assertThat(error.path("type").asText()).isEqualTo("validation_error");
    JsonNode details = Shape.BLOCKED_DETAILS.of(error.path("details"));
    assertThat(details.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(details.path("plan_status").asText()).isEqualTo("executed");
    assertThat(details.path("verdicts")).hasSize(2);
    JsonNode verdict = Shape.BLOCKED_VERDICT.of(details.at("/verdicts/0"));
    assertThat(verdict.path("action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(verdict.path("decision").asText()).isEqualTo("BLOCK");
    assertThat(verdict.path("tier").asInt()).isEqualTo(2);
    assertThat(verdict.path("rule").asText()).isEqualTo("block-pay-refund-create");
    assertThat(verdict.path("connector").asText()).isEqualTo(operator.connector());
    assertThat(verdict.path("tool").asText()).isEqualTo(Given.REFUND);
    assertThat(verdict.path("entity_key").asText()).isEqualTo("charge:a");
    assertThat(verdict.path("receipt_id")).isEqualTo(plan.action(0).path("receipt_id"));
    assertThat(plan.now().status()).isEqualTo("executed");
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("refused");
    assertThat(given.upstream().calls()).isEmpty();
    plan.tryApprove().isError(409, "state_conflict");
  }

  @Test
  void theReceiptsOfAnApprovalAreFoundByItsRequestId(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"));
    Answer approval = given.api().post(plan.path() + "/approve", selecting(plan.actionId(0)));
    approval.is(200);
    List<JsonNode> receipts =
        given.api().get("/v1/receipts?request_id=" + approval.header("X-Request-Id")).data();
    assertThat(receipts)
        .extracting(receipt -> receipt.path("outcome").asText())
        .containsExactlyInAnyOrder("applied", "skipped");
  }

  @Test
  void anIdempotencyKeyReplaysTheApprovalByteByByte(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String key = Given.unique("idem");
    ObjectNode body = Json.object().put("note", "Once.");
    Answer first = given.api().post(plan.path() + "/approve", body, "Idempotency-Key", key);
    Answer again = given.api().post(plan.path() + "/approve", body, "Idempotency-Key", key);
    first.is(200);
    again.is(200);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(first.header("Idempotent-Replayed")).isEmpty();
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(again.header("X-Request-Id"))
        .startsWith("req_")
        .isNotEqualTo(first.header("X-Request-Id"));
    given
        .api()
        .post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key)
        .isError(409, "idempotency_conflict");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aReplayedPolicyBlockedIs422(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    operator.guardrails();
    String key = Given.unique("idem");
    Answer first =
        given.api().post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key);
    Answer again =
        given.api().post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key);
    first.isError(422, "policy_blocked");
    again.isError(422, "policy_blocked");
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.header("Idempotent-Replayed")).isEqualTo("true");
  }

  @Test
  void aFailedApprovalReleasesItsIdempotencyKey(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Plan plan = operator.propose(operator.note("charge:a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    String key = Given.unique("idem");
    String path = plan.path() + "/approve";
    given.api().post(path, Json.object(), "Idempotency-Key", key).isError(409, "entity_locked");
    gate.open();
    holding.result().is(200);
    holder.await("executed");
    given.api().post(path, Json.object(), "Idempotency-Key", key).is(200);
  }

  @Test
  void sixteenApprovalsAtOnceRunEachActionOnce(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("a"), operator.refund("b"));
    List<Answer> answers = Together.all(16, number -> plan.tryApprove());
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allSatisfy(
            answer -> {
              assertThat(answer.status()).isEqualTo(409);
              assertThat(answer.json().at("/error/code").asText())
                  .isIn("entity_locked", "state_conflict");
            });
    assertThat(given.upstream().calls()).hasSize(3);
    assertThat(given.api().get("/v1/receipts?plan_id=" + plan.id()).data()).hasSize(3);
  }

  @Test
  void sixteenApprovalsUnderOneIdempotencyKeyGetOneAnswer(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"));
    String key = Given.unique("idem");
    List<Answer> answers =
        Together.all(
            16,
            number ->
                // A busy machine may be at it for longer than one request waits.
                Await.until(
                    Duration.ofSeconds(60),
                    () ->
                        given
                            .api()
                            .post(plan.path() + "/approve", Json.object(), "Idempotency-Key", key),
                    answer -> answer.status() != 409));
    assertThat(answers).allSatisfy(answer -> answer.is(200));
    assertThat(answers).extracting(Answer::text).containsOnly(answers.getFirst().text());
    assertThat(given.upstream().calls()).hasSize(2);
  }

  @Test
  void whileAPlanExecutesItReadsAsProposedAndIsLocked(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> approving = Together.start(plan::tryApprove);
    gate.awaitCall();
    JsonNode now = plan.now().json();
    assertThat(now.path("status").asText()).isEqualTo("proposed");
    assertThat(now.path("waiting_on").asText()).isEqualTo("execution");
    Answer second = plan.tryApprove();
    JsonNode error = second.isError(409, "entity_locked");
    JsonNode details = Shape.LOCKED_DETAILS.of(error.path("details"));
    assertThat(details.path("entity_key").asText()).isEqualTo("charge:a");
    assertThat(details.path("holding_plan_id").asText()).isEqualTo(plan.id());
    assertThat(second.header("Retry-After")).isEqualTo(details.path("retry_after").asText());
    plan.tryVeto("Too late.").isError(409, "state_conflict");
    gate.open();
    approving.result().is(200);
    plan.tryApprove().isError(409, "state_conflict");
  }

  @Test
  void approvingNeedsItsScope(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String path = plan.path() + "/approve";
    given.apiOfRole("read_only").post(path).isError(403, "insufficient_scope");
    given.apiOfScopes("plans:propose", "plans:read").post(path).isError(403, "insufficient_scope");
    given.apiOfRole("operate").post(path).is(200);
  }

  @Test
  void anUnknownPlanCannotBeApproved(Given given) {
    given.api().post("/v1/plans/pl_00000000000000000000000000/approve").isError(404, "not_found");
    given.api().post("/v1/plans/op_1/approve").isError(404, "not_found");
  }

  @Test
  void anApproverSeesTheRequestThatWillBeMade(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    ObjectNode note = operator.note("order:1");
    note.putObject("args").put("text", "é".repeat(5_000));
    ObjectNode stepping = operator.refund("..%2Fadmin");
    Plan plan = operator.propose(operator.refund("ch 1"), note, stepping);
    JsonNode call = plan.now().json().at("/actions/0/call");
    assertThat(call.properties()).hasSize(3);
    assertThat(call.path("method").asText()).isEqualTo("POST");
    assertThat(call.path("url").asText()).isEqualTo(given.upstream().url() + "/refunds/ch%201");
    assertThat(Json.read(call.path("body").asText())).isEqualTo(plan.json().at("/actions/0/args"));
    assertThat(plan.json().at("/actions/0/call")).isEqualTo(call);
    assertThat(plan.json().at("/actions/1/call/body").asText())
        .hasSize(4_096)
        .startsWith("{\"text\":\"éé");
    assertThat(plan.json().at("/actions/2/call").isNull()).isTrue();

    plan.approve();
    Upstream.Seen seen = given.upstream().calls("/refunds").getFirst();
    assertThat(given.upstream().url() + seen.path()).isEqualTo(call.path("url").asText());
    assertThat(seen.body()).isEqualTo(Json.read(call.path("body").asText()));
    assertThat(given.upstream().calls("/refunds")).hasSize(1);
    assertThat(plan.receipt(2).path("outcome").asText()).isEqualTo("refused");
    assertThat(plan.receipt(2).path("reason").asText()).isEqualTo("dot_segment");
    for (JsonNode action : plan.now().json().path("actions")) {
      assertThat(action.path("call").isNull()).isTrue();
    }
  }
}
