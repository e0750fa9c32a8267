package io.actiongovernance.localstack.acceptance.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Human;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Undos that take an approval (contract for people, section 2). */
@Acceptance
final class HeldUndoSpec {
  private static ObjectNode json(String text) {
    return (ObjectNode) Json.read(text.replace('\'', '"'));
  }

  private static ObjectNode asking(String approval) {
    ObjectNode alert = (ObjectNode) Json.read(Json.write(Given.alert(Given.CANCEL)));
    alert.set("approval", json("{" + approval + "}"));
    return alert;
  }

  /** A refund that applied, and whose inverse takes this approval. */
  private static Plan refunded(Given given, String approval) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund(Given.unique("ch"), "4.20")).await("executed");
    operator.guardrails(asking(approval));
    return plan;
  }

  private static String path(Plan original) {
    return "/v1/actions/" + original.actionId(0) + "/undo";
  }

  private static Plan ask(Given given, Plan original) {
    return new Plan(given.api(), given.api().post(path(original)).is(202));
  }

  @Test
  void aHeldUndoIsAPlanThatUndoesOnceApproved(Given given) {
    Human lead = Human.of(given, "Lea", "operate", "support-leads");
    Plan original = refunded(given, "'all_of':[{'groups':['support-leads']}],'method':'passkey'");
    ObjectNode body = Json.object().put("reason", "Paid twice.");
    String key = Given.unique("idem");
    Answer answer = given.api().post(path(original), body, "Idempotency-Key", key);
    Plan plan = new Plan(given.api(), Shape.PLAN.of(answer.is(202)));
    assertThat(plan.status()).isEqualTo("proposed");
    assertThat(plan.json().path("waiting_on").asText()).isEqualTo("approval");
    assertThat(plan.json().path("reasoning").asText()).isEqualTo("Paid twice.");
    assertThat(plan.json().at("/proposed_by/type").asText()).isEqualTo("key");
    JsonNode undo = Shape.PLANNED_ACTION.of(plan.json().at("/actions/0"), "value");
    assertThat(undo.path("undo_of").asText()).isEqualTo(original.actionId(0));
    assertThat(undo.path("tool").asText()).isEqualTo(Given.CANCEL);
    assertThat(undo.at("/call/method").asText()).isEqualTo("POST");
    assertThat(given.api().post(path(original), body, "Idempotency-Key", key).is(200))
        .isEqualTo(plan.json());
    assertThat(given.upstream().calls("/cancellations")).isEmpty();
    assertThat(plan.now().json().at("/actions/0/undo_of")).isEqualTo(undo.path("undo_of"));
    assertThat(
            lead.get("/v1/plans?status=proposed&waiting_on=approval&eligible=me")
                .is(200)
                .path("data"))
        .extracting(item -> item.path("id").asText())
        .contains(plan.id());

    plan.tryApprove().isNotEligible("self_approval");
    ObjectNode amended = Json.object();
    amended.putArray("actions").addObject().put("action_id", plan.actionId(0)).putObject("args");
    given.api().post(plan.path() + "/amend", amended).isError(409, "state_conflict");
    lead.approve(plan).isError(403, "signature_required");
    JsonNode executed = Shape.APPROVE_RESULT.of(lead.sign(plan).is(200));
    assertThat(executed.at("/results/0/ok").asBoolean()).isTrue();

    JsonNode undone = original.action(0);
    assertThat(undone.path("undone").asBoolean()).isTrue();
    assertThat(undone.path("undo_action_id").asText()).isEqualTo(plan.actionId(0));
    JsonNode receipt = Shape.RECEIPT.of(plan.receipt(0));
    assertThat(receipt.path("kind").asText()).isEqualTo("undo");
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("undo_of").asText()).isEqualTo(original.actionId(0));
    assertThat(receipt.path("approval_id")).isEqualTo(executed.path("approval_id"));
    assertThat(receipt.at("/decided_by/0/id").asText()).isEqualTo(lead.id());
    assertThat(receipt.path("proposed_by")).isEqualTo(plan.json().path("proposed_by"));
    assertThat(receipt.path("reason").asText()).isEqualTo("Paid twice.");
    assertThat(given.api().get("/v1/actions?plan_id=" + plan.id()).data()).hasSize(1);
    assertThat(given.api().get("/v1/receipts?kind=undo&plan_id=" + plan.id()).data()).hasSize(1);
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
    given.api().post(path(original)).isError(409, "action_not_undoable");
  }

  @Test
  void aHeldUndoBelongsToTheOriginalsEvent(Given given) {
    Human lead = Human.of(given, "Lea", "operate");
    Operator operator = given.operator(Given.allow(Given.REFUND));
    String event = given.event("desk.asked", Json.object()).path("id").asText();
    ObjectNode body = Operator.proposal(operator.refund(Given.unique("ch"))).put("event_id", event);
    String plans = "/v1/operators/" + operator.id() + "/plans";
    Plan original =
        new Plan(given.api(), operator.proposer().post(plans, body).is(201)).await("executed");
    operator.guardrails(asking("'method':'session'"));
    Plan plan = ask(given, original);
    assertThat(plan.json().path("event_id").asText()).isEqualTo(event);
    assertThat(plan.json().path("correlation_id"))
        .isEqualTo(original.json().path("correlation_id"));
    assertThat(given.api().get("/v1/plans?event_id=" + event).ids())
        .contains(original.id(), plan.id());
    lead.approve(plan).is(200);
    assertThat(original.action(0).path("undone").asBoolean()).isTrue();
  }

  @Test
  void askingAgainWhileItIsOpenReturnsTheSamePlan(Given given) {
    Human other = Human.of(given, "Ola", "operate");
    Plan original = refunded(given, "'method':'session'");
    List<JsonNode> answers = Together.all(6, _ -> given.api().post(path(original)).is(202));
    Plan plan = new Plan(given.api(), answers.getFirst());
    assertThat(answers).allMatch(answer -> answer.path("id").asText().equals(plan.id()));
    assertThat(other.post(path(original), Json.object()).is(202).path("id").asText())
        .isEqualTo(plan.id());
    // Who asked first proposed it; all others may approve.
    other.approve(plan).is(200);
    assertThat(given.upstream().calls("/cancellations")).hasSize(1);
  }

  @Test
  void aVetoedOrWithdrawnUndoCanBeAskedForAgain(Given given) {
    Human asking = Human.of(given, "Ola", "operate");
    Plan original = refunded(given, "'method':'session'");
    Plan vetoed = ask(given, original);
    vetoed.tryVeto("Not this one.").is(200);
    assertThat(vetoed.receipt(0).path("kind").asText()).isEqualTo("undo");
    assertThat(vetoed.receipt(0).path("outcome").asText()).isEqualTo("vetoed");
    JsonNode asked = asking.post(path(original), Json.object()).is(202);
    Plan plan = new Plan(given.api(), asked);
    assertThat(plan.id()).isNotEqualTo(vetoed.id());
    String withdraw = plan.path() + "/withdraw";
    ObjectNode why = Json.object().put("reason", "Not now.");
    given.api().post(withdraw, why).isError(403, "insufficient_scope");
    assertThat(asking.post(withdraw, why).is(200).path("withdrawn").asBoolean()).isTrue();
    assertThat(ask(given, original).id()).isNotIn(vetoed.id(), plan.id());
    assertThat(original.action(0).path("undone").asBoolean()).isFalse();
  }

  @Test
  void theOwnerOfTheRequestingKeyCannotApprove(Given given) {
    Human owner = Human.of(given, "Lea", "operate");
    Human other = Human.of(given, "Ola", "operate");
    Plan original = refunded(given, "'method':'session'");
    ObjectNode key = Json.object().put("role", "operate").put("owner", owner.id());
    JsonNode asked = given.apiWith(key).post(path(original)).is(202);
    Plan plan = new Plan(given.api(), asked);
    owner.approve(plan).isNotEligible("self_approval");
    plan.tryApprove().isNotEligible("method");
    other.approve(plan).is(200);
  }

  @Test
  void anotherKeyApprovesUnderAKeyPolicy(Given given) {
    Plan original = refunded(given, "'method':'key'");
    Plan plan = ask(given, original);
    plan.tryApprove().isNotEligible("self_approval");
    given.apiOfRole("operate").post(plan.path() + "/approve", Json.object()).is(200);
    assertThat(original.action(0).path("undone").asBoolean()).isTrue();
  }

  @Test
  void aLockRefusesTheDecidingVoteWithoutRecordingIt(Given given) {
    Human lead = Human.of(given, "Lea", "operate");
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan original = operator.propose(operator.refund("locked")).await("executed");
    operator.guardrails(asking("'method':'passkey'"));
    Plan plan = ask(given, original);
    Operator holding = given.operator(Given.alert(Given.REFUND));
    Plan holder = holding.propose(holding.refund("locked"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> running = Together.start(holder::tryApprove);
    gate.awaitCall();
    ObjectNode signed = Human.signed(lead.challenge(plan), lead.passkey());
    lead.post(plan.path() + "/approve", signed.deepCopy()).isError(409, "entity_locked");
    assertThat(lead.get(plan.path() + "/approval").is(200).path("votes")).isEmpty();
    gate.open();
    running.result().is(200);
    holder.await("executed");
    // The very challenge that was refused is good still.
    lead.post(plan.path() + "/approve", signed).is(200);
    assertThat(original.action(0).path("undone").asBoolean()).isTrue();
  }

  @Test
  void tierDefaultsDoNotApplyToUndos(Given given) {
    String defaults = "/v1/approval_defaults";
    given.api().patch(defaults, json("{'tiers':{'1':{},'2':{},'3':{}}}")).is(200);
    try {
      Operator operator = given.operator(Given.allow(Given.REFUND));
      Plan plan = operator.propose(operator.refund(Given.unique("ch"))).await("executed");
      operator.guardrails(Given.alert(Given.CANCEL));
      given.api().post(path(plan)).is(200);
    } finally {
      given.api().patch(defaults, json("{'tiers':{'1':null,'2':null,'3':null}}")).is(200);
    }
  }
}
