package io.actiongovernance.localstack.acceptance.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Canonical;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Undoing an action (specification, Actions; contract, section 2). */
@Acceptance
final class UndoSpec {
  private static Answer undo(Given given, Plan plan, int position) {
    return given.api().post("/v1/actions/" + plan.actionId(position) + "/undo");
  }

  private static Plan refunded(Given given, String charge) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    return operator.propose(operator.refund(charge, "4.20")).await("executed");
  }

  @Test
  void anUndoRunsTheDeclaredInverseAsAnActionOfItsOwn(Given given) {
    Plan plan = refunded(given, "a");
    JsonNode before = plan.receipt(0);
    ObjectNode body = Json.object().put("reason", "A mistake.").put("undone_by", "dana");
    Answer answer = given.api().post("/v1/actions/" + plan.actionId(0) + "/undo", body);
    JsonNode result = Shape.UNDO_RESULT.of(answer.is(200));
    assertThat(result.path("id").asText()).isEqualTo(plan.actionId(0));
    assertThat(result.path("object").asText()).isEqualTo("action");
    assertThat(result.path("undone").asBoolean()).isTrue();

    String undoId = result.path("undo_action_id").asText();
    JsonNode original = plan.action(0);
    assertThat(original.path("undone").asBoolean()).isTrue();
    assertThat(original.path("undoable").asBoolean()).isTrue();
    assertThat(original.path("undo_action_id").asText()).isEqualTo(undoId);
    assertThat(plan.receipt(0)).isEqualTo(before);

    JsonNode undo = given.api().get("/v1/actions/" + undoId).is(200);
    Shape.ACTION.of(undo, "value");
    assertThat(undo.path("undo_of").asText()).isEqualTo(plan.actionId(0));
    assertThat(undo.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(undo.path("tool").asText()).isEqualTo(Given.CANCEL);
    assertThat(undo.path("entity_key").asText()).isEqualTo("charge:a");
    assertThat(undo.path("undoable").asBoolean()).isFalse();
    assertThat(undo.path("receipt_id")).isEqualTo(result.path("undo_receipt_id"));
    assertThat(undo.path("disposed_at")).isEqualTo(result.path("undone_at"));

    JsonNode receipt =
        given.api().get("/v1/receipts/" + result.path("undo_receipt_id").asText()).is(200);
    Shape.RECEIPT.of(receipt);
    assertThat(receipt.path("kind").asText()).isEqualTo("undo");
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("billable").asBoolean()).isTrue();
    assertThat(receipt.path("undo_of").asText()).isEqualTo(plan.actionId(0));
    assertThat(receipt.path("action_id").asText()).isEqualTo(undoId);
    assertThat(receipt.path("reason").asText()).isEqualTo("A mistake.");
    assertThat(receipt.path("approver").asText()).isEqualTo("dana");
    assertThat(receipt.path("request_id").asText()).isEqualTo(answer.header("X-Request-Id"));
  }

  @Test
  void theInverseIsCalledWithItsFilledInArgumentsUnderTheDerivedKey(Given given) {
    Plan plan = refunded(given, "a");
    undo(given, plan, 0).is(200);
    String refund = plan.receipt(0).path("upstream_reference").asText();
    Upstream.Seen call = given.upstream().calls("/cancellations").getFirst();
    assertThat(call.path()).isEqualTo("/cancellations/" + refund);
    assertThat(call.body().path("refund").asText()).isEqualTo(refund);
    assertThat(call.body().path("charge").asText()).isEqualTo("a");
    String tenant = given.event("desk.asked", Json.object()).path("tenant_id").asText();
    String key = plan.json().at("/actions/0/idempotency_key").asText();
    String seed = "undo.v1\n" + tenant + "\n" + plan.actionId(0) + "\n" + key;
    assertThat(call.idempotencyKey()).isEqualTo("undo_" + Canonical.sha256(seed).substring(0, 32));
  }

  @Test
  void undoneByDefaultsToTheKeysName(Given given) {
    Plan plan = refunded(given, "a");
    String name = Given.unique("desk-key");
    String secret =
        given
            .api()
            .post("/v1/keys", Json.object().put("name", name).put("role", "operate"))
            .is(201)
            .path("secret")
            .asText();
    JsonNode result =
        given.api().as(secret).post("/v1/actions/" + plan.actionId(0) + "/undo").is(200);
    String receipt = "/v1/receipts/" + result.path("undo_receipt_id").asText();
    assertThat(given.api().get(receipt).is(200).path("approver").asText()).isEqualTo(name);
  }

  @Test
  void anActionThatCannotBeUndoneIsRefused(Given given) {
    Operator operator =
        given.operator(
            Given.allow(Given.REFUND), Given.allow(Given.NOTE), Given.block(Given.DELETE));
    given.upstream().next("/refunds/failing", new Upstream.Behaviour.Fail(400));
    Plan plan =
        operator.propose(
            operator.note("without-inverse"),
            operator.refund("failing"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")));
    for (int position = 0; position < 3; position++) {
      JsonNode error = undo(given, plan, position).isError(409, "action_not_undoable");
      assertThat(error.path("type").asText()).isEqualTo("conflict_error");
    }
    Operator holding = given.operator(Given.alert(Given.REFUND));
    Plan held = holding.propose(holding.refund("undisposed"));
    undo(given, held, 0).isError(409, "action_not_undoable");
  }

  @Test
  void anActionIsUndoneOnceAndAnUndoCannotBeUndone(Given given) {
    Plan plan = refunded(given, "a");
    JsonNode result = undo(given, plan, 0).is(200);
    undo(given, plan, 0).isError(409, "action_not_undoable");
    given
        .api()
        .post("/v1/actions/" + result.path("undo_action_id").asText() + "/undo")
        .isError(409, "action_not_undoable");
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
  }

  @Test
  void oneOfManyConcurrentUndosRuns(Given given) {
    Plan plan = refunded(given, "a");
    List<Answer> answers = Together.all(8, number -> undo(given, plan, 0));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allSatisfy(
            answer ->
                assertThat(answer.json().at("/error/code").asText())
                    .isIn("entity_locked", "action_not_undoable"));
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
    assertThat(given.api().get("/v1/receipts?plan_id=" + plan.id()).data()).hasSize(2);
  }

  @Test
  void anUndoMeetsTheLockOfItsEntity(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    plan.approve();
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Answer locked = undo(given, plan, 0);
    JsonNode details = locked.isError(409, "entity_locked").path("details");
    Shape.LOCKED_DETAILS.of(details);
    assertThat(details.path("holding_plan_id").asText()).isEqualTo(holder.id());
    assertThat(locked.header("Retry-After")).isNotEmpty();
    gate.open();
    holding.result().is(200);
    Await.until(
        java.time.Duration.ofSeconds(10), () -> undo(given, plan, 0), a -> a.status() == 200);
  }

  @Test
  void whileAnUndoRunsItsEntityIsLocked(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    Plan next = operator.propose(operator.refund("a"));
    plan.approve();
    Upstream.Gate gate = given.upstream().hold("/cancellations");
    Running<Answer> undoing = Together.start(() -> undo(given, plan, 0));
    gate.awaitCall();
    next.tryApprove().isError(409, "entity_locked");
    undo(given, plan, 0).isError(409, "entity_locked");
    gate.open();
    undoing.result().is(200);
    Await.until(java.time.Duration.ofSeconds(10), next::tryApprove, a -> a.status() == 200);
  }

  @Test
  void theGuardrailThatDecidedTheOriginalCountsAsMatchingTheInverse(Given given) {
    Plan plan = refunded(given, "a");
    JsonNode result = undo(given, plan, 0).is(200);
    JsonNode undo =
        given.api().get("/v1/actions/" + result.path("undo_action_id").asText()).is(200);
    assertThat(undo.at("/verdict/rule").asText()).isEqualTo("allow-pay-refund-create");
    assertThat(undo.path("disposition").asText()).isEqualTo("ALLOW");
  }

  @Test
  void anAlertIsSatisfiedByTheRequestItself(Given given) {
    Operator operator = given.operator(Given.alert("pay.refund.*"));
    Plan plan = operator.propose(operator.refund("a"));
    plan.approve();
    JsonNode result = undo(given, plan, 0).is(200);
    JsonNode undo =
        given.api().get("/v1/actions/" + result.path("undo_action_id").asText()).is(200);
    assertThat(undo.path("disposition").asText()).isEqualTo("ALERT");
    assertThat(undo.path("ok").asBoolean()).isTrue();
  }

  @Test
  void aBlockOnTheInverseIsPolicyBlockedAndReceipted(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND), Given.block(Given.CANCEL));
    Plan plan = operator.propose(operator.refund("a"));
    JsonNode error = undo(given, plan, 0).isError(422, "policy_blocked");
    JsonNode details = Shape.BLOCKED_DETAILS.of(error.path("details"));
    assertThat(details.path("plan_id").asText()).isEqualTo(plan.id());
    JsonNode verdict = Shape.BLOCKED_VERDICT.of(details.at("/verdicts/0"));
    assertThat(verdict.path("rule").asText()).isEqualTo("block-pay-refund-cancel");
    assertThat(verdict.path("tool").asText()).isEqualTo(Given.CANCEL);
    JsonNode receipt =
        given.api().get("/v1/receipts/" + verdict.path("receipt_id").asText()).is(200);
    assertThat(receipt.path("kind").asText()).isEqualTo("undo");
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(plan.action(0).path("undone").asBoolean()).isFalse();
    assertThat(given.upstream().calls("/cancellations")).isEmpty();
    operator.guardrails(Given.allow(Given.REFUND), Given.allow(Given.CANCEL));
    undo(given, plan, 0).is(200);
  }

  @Test
  void withoutAGuardrailTheInverseIsRefused(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    operator.guardrails();
    JsonNode error = undo(given, plan, 0).isError(422, "policy_blocked");
    assertThat(error.at("/details/verdicts/0/rule").isNull()).isTrue();
    assertThat(given.upstream().calls("/cancellations")).isEmpty();
  }

  @Test
  void aFailingInverseIsReceiptedAndCanBeTriedAgain(Given given) {
    Plan plan = refunded(given, "a");
    given.upstream().next("/cancellations", new Upstream.Behaviour.Fail(422));
    undo(given, plan, 0).isError(502, "connector_upstream_error");
    assertThat(plan.action(0).path("undone").asBoolean()).isFalse();
    assertThat(plan.action(0).path("undo_action_id").isNull()).isTrue();
    List<JsonNode> failed =
        given.api().get("/v1/receipts?outcome=failed&plan_id=" + plan.id()).data();
    assertThat(failed).hasSize(1);
    assertThat(failed.getFirst().path("kind").asText()).isEqualTo("undo");
    undo(given, plan, 0).is(200);
    assertThat(plan.action(0).path("undone").asBoolean()).isTrue();
  }

  @Test
  void anActionOfADeletedConnectorCannotBeUndone(Given given) {
    String connector = given.install(given.api(), null);
    Operator operator =
        given.operatorOf(given.api(), connector, Json.object(), Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    given.api().delete("/v1/connectors/" + connector).is(200);
    undo(given, plan, 0).isError(409, "action_not_undoable");
  }

  @Test
  void aReplayedUndoReturnsTheSameAnswer(Given given) {
    Plan plan = refunded(given, "a");
    String path = "/v1/actions/" + plan.actionId(0) + "/undo";
    String key = Given.unique("idem");
    Answer first = given.api().post(path, Json.object(), "Idempotency-Key", key);
    Answer again = given.api().post(path, Json.object(), "Idempotency-Key", key);
    first.is(200);
    assertThat(again.is(200)).isEqualTo(first.json());
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
  }

  @Test
  void fieldsHaveTheirLimits(Given given) {
    Plan plan = refunded(given, "a");
    String path = "/v1/actions/" + plan.actionId(0) + "/undo";
    Api api = given.api();
    api.post(path, Json.object().put("reason", "x".repeat(2_001))).isInvalid("reason");
    api.post(path, Json.object().put("undone_by", "")).isInvalid("undone_by");
    api.post(path, Json.object().put("undone_by", "x".repeat(201))).isInvalid("undone_by");
    api.post(path, Json.object().put("force", true)).isInvalid("force");
    assertThat(plan.action(0).path("undone").asBoolean()).isFalse();
    api.post(path, Json.object().put("reason", "x".repeat(2_000))).is(200);
  }

  @Test
  void undoingNeedsItsScopeAndAnAction(Given given) {
    String nobody = "/v1/actions/act_00000000000000000000000000/undo";
    given.apiOfRole("read_only").post(nobody).isError(403, "insufficient_scope");
    given.apiOfRole("operate").post(nobody).isError(404, "not_found");
    given.api().post("/v1/actions/nonsense/undo").isError(404, "not_found");
  }

  @Test
  void anExhaustedLimitDoesNotBlockUndos(Given given) {
    ObjectNode guardrail = Given.allow(Given.REFUND);
    guardrail.set(
        "limits", Json.read("[{\"per\":\"operator\",\"window_seconds\":3600,\"max_actions\":1}]"));
    Operator operator = given.operator(guardrail);
    Plan plan = operator.propose(operator.refund("a", "4.20")).await("executed");
    JsonNode result = undo(given, plan, 0).is(200);
    String undoId = result.path("undo_action_id").asText();
    JsonNode undo = given.api().get("/v1/actions/" + undoId).is(200);
    assertThat(undo.path("disposition").asText()).isEqualTo("ALERT");
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
  }

  @Test
  void noProposalCanUseTheKeyOfAnUndo(Given given) {
    Plan plan = refunded(given, "a");
    Operator operator = given.operator(Given.allow(Given.NOTE));
    String tenant = given.event("desk.asked", Json.object()).path("tenant_id").asText();
    String key = plan.json().at("/actions/0/idempotency_key").asText();
    String seed = "undo.v1\n" + tenant + "\n" + plan.actionId(0) + "\n" + key;
    ObjectNode taken =
        operator
            .note("charge:a")
            .put("idempotency_key", "undo_" + Canonical.sha256(seed).substring(0, 32));
    operator.tryPropose(taken).isInvalid("actions[0].idempotency_key");
    undo(given, plan, 0).is(200);
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
  }

  @Test
  void anAnswerTooLargeForItsInverseIsOneCallOneReceiptAndNotUndone(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode large = Json.object().put("id", "x".repeat(450_000));
    given.upstream().next("/refunds", new Upstream.Behaviour.Reply(200, Json.write(large)));
    Plan plan = operator.propose(operator.refund("large")).await("executed");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(plan.action(0).path("undoable").asBoolean(true)).isFalse();
    undo(given, plan, 0).isError(409, "action_not_undoable");
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void anAnswerWithoutTheInversesInputMakesTheActionNotUndoable(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Upstream.Behaviour.Reply(200, "{\"ok\":true}"));
    Plan plan = operator.propose(operator.refund("lacking")).await("executed");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(plan.action(0).path("undoable").asBoolean(true)).isFalse();
    undo(given, plan, 0).isError(409, "action_not_undoable");
    assertThat(given.upstream().calls()).hasSize(1);
  }
}
