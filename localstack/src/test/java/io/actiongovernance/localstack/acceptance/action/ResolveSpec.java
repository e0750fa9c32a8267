package io.actiongovernance.localstack.acceptance.action;

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
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Behaviour;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is unknown, until somebody says what came of it, and how long its entity is left alone
 * (contract, section 2, Unknown outcome and Resolving; section 5, {@code settle_seconds}).
 */
@Acceptance
final class ResolveSpec {
  private static final String UNRESOLVED = "/v1/actions?unresolved=true";

  /** The sweeper comes by once a minute, and a busy machine is slow. */
  private static final Duration LONGEST = Duration.ofSeconds(150);

  private static final String HOLD = "pay.hold.create";
  private static final String EXTEND = "pay.hold.extend";

  /** The inverse needs nothing of the answer, and is not to be repeated; the third tool may be. */
  private static final String TOOLS =
      """
      [{"name":"pay.hold.create","capability":"pay.hold","tier":2,"description":"Holds.",
        "input_schema":{"type":"object","required":["charge"],"additionalProperties":false,
          "properties":{"charge":{"type":"string"}}},
        "binds":{"entity":"charge:{{args.charge}}"},"retry_safe":false,"reference":"/id",
        "inverse":{"tool":"pay.hold.release","args":{"charge":"{{args.charge}}"}},
        "request":{"method":"POST","path":"/holds/{{args.charge}}"}},
       {"name":"pay.hold.release","capability":"pay.hold","tier":2,"description":"Releases.",
        "input_schema":{"type":"object","required":["charge"],"additionalProperties":false,
          "properties":{"charge":{"type":"string"}}},
        "binds":{"entity":"charge:{{args.charge}}"},"retry_safe":false,"reference":"/id",
        "request":{"method":"POST","path":"/releases/{{args.charge}}"}},
       {"name":"pay.hold.extend","capability":"pay.hold","tier":2,"description":"Extends.",
        "input_schema":{"type":"object","required":["charge"],"additionalProperties":false,
          "properties":{"charge":{"type":"string"}}},
        "binds":{"entity":"charge:{{args.charge}}"},"retry_safe":true,"reference":"/id",
        "request":{"method":"POST","path":"/extensions/{{args.charge}}"}}]
      """;

  /** An operator of a connector with those tools, all of which it may use. */
  private static Operator holding(Given given) {
    String connector = given.install(given.api(), null, 0, Json.read(TOOLS));
    return given.operatorOf(given.api(), connector, Json.object(), Given.allow("pay.hold.*"));
  }

  private static ObjectNode hold(Operator operator, String tool) {
    return operator.action(tool, "charge:a", Json.object().put("charge", "a"));
  }

  private static ObjectNode says(String outcome) {
    return Json.object().put("outcome", outcome).put("reason", "The ledger of the shop says so.");
  }

  private static Answer resolve(Api api, String action, ObjectNode body) {
    return api.post("/v1/actions/" + action + "/resolve", body);
  }

  private static JsonNode resolved(Given given, Plan plan, String outcome) {
    return resolve(given.api(), plan.actionId(0), says(outcome)).is(200);
  }

  /** Proposes an action whose reply is lost. */
  private static Plan unknown(Given given, Operator operator, ObjectNode action, String path) {
    given.upstream().next(path, new Behaviour.ActAndDrop());
    Plan plan = operator.propose(action).await("executed");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    return plan;
  }

  private static Answer undo(Given given, Plan plan) {
    String path = "/v1/actions/" + plan.actionId(0) + "/undo";
    return given.api().postPatiently(path, Json.object());
  }

  private static long used(Given given) {
    return given.api().get("/v1/allowance").is(200).path("used_actions").asLong();
  }

  private static List<JsonNode> resolutions(Given given) {
    return given.api().get("/v1/receipts?kind=resolution").data();
  }

  @Test
  void anActionResolvedAsAppliedCountsAndUsesItsKey(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode action = operator.refund("a", "4.20");
    Plan plan = unknown(given, operator, action, "/refunds");
    JsonNode before = plan.action(0);
    JsonNode receipted = plan.receipt(0);
    Lists.hold(given.api(), UNRESOLVED, List.of(plan.actionId(0)));
    assertThat(before.path("resolution").isNull()).isTrue();
    assertThat(used(given)).isZero();

    Answer answer =
        resolve(
            given.api(), plan.actionId(0), says("applied").put("upstream_reference", "re_known"));
    JsonNode after = Shape.ACTION.of(answer.is(200), "value", "error");
    assertThat(after).isEqualTo(plan.action(0));
    JsonNode resolution = Shape.RESOLUTION.of(after.path("resolution"));
    assertThat(resolution.path("outcome").asText()).isEqualTo("applied");
    assertThat(resolution.path("upstream_reference").asText()).isEqualTo("re_known");
    assertThat(resolution.path("reason").asText()).isEqualTo("The ledger of the shop says so.");
    Shape.PRINCIPAL.of(resolution.path("resolved_by_principal"));
    for (String kept : List.of("disposition", "ok", "error", "receipt_id", "disposed_at")) {
      assertThat(after.path(kept)).describedAs(kept).isEqualTo(before.path(kept));
    }
    assertThat(plan.receipt(0)).isEqualTo(receipted);
    JsonNode outcomes = plan.now().json().path("outcomes");
    assertThat(outcomes.path("unknown").asInt()).as("as it was disposed").isEqualTo(1);
    assertThat(outcomes.path("applied").asInt()).isZero();

    JsonNode receipt = Shape.RECEIPT.of(resolutions(given).getFirst());
    assertThat(receipt.path("id")).isEqualTo(resolution.path("receipt_id"));
    assertThat(receipt.path("outcome").asText()).isEqualTo("applied");
    assertThat(receipt.path("ok").asBoolean()).isTrue();
    assertThat(receipt.path("billable").asBoolean()).isTrue();
    assertThat(receipt.path("resolves")).isEqualTo(receipted.path("id"));
    assertThat(receipt.path("request_id").asText()).isEqualTo(answer.header("X-Request-Id"));
    assertThat(receipt.path("reason")).isEqualTo(resolution.path("reason"));
    assertThat(receipt.path("upstream_reference").asText()).isEqualTo("re_known");
    for (String same : List.of("action_id", "plan_id", "action_digest", "idempotency_key")) {
      assertThat(receipt.path(same)).describedAs(same).isEqualTo(receipted.path(same));
    }
    JsonNode decider = Shape.DECIDER.of(receipt.at("/decided_by/0"));
    assertThat(decider.path("id")).isEqualTo(resolution.at("/resolved_by_principal/id"));
    assertThat(resolutions(given)).hasSize(1);

    assertThat(used(given)).isEqualTo(1);
    assertThat(given.api().get(UNRESOLVED).data()).isEmpty();
    Plan again = operator.propose(action);
    assertThat(again.action(0).path("disposition").asText()).isEqualTo("DEDUP");
    assertThat(again.action(0).path("holder_action_id").asText()).isEqualTo(plan.actionId(0));
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void anActionResolvedAsNotAppliedDoesNotCountAndFreesItsKey(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode action = operator.refund("a");
    Plan plan = unknown(given, operator, action, "/refunds");
    JsonNode after = resolved(given, plan, "not_applied");
    assertThat(after.at("/resolution/outcome").asText()).isEqualTo("not_applied");
    assertThat(after.at("/resolution/upstream_reference").isNull()).isTrue();
    assertThat(after.path("undoable").asBoolean(true)).isFalse();
    JsonNode receipt = resolutions(given).getFirst();
    assertThat(receipt.path("outcome").asText()).isEqualTo("failed");
    assertThat(receipt.path("ok").asBoolean(true)).isFalse();
    assertThat(receipt.path("billable").asBoolean(true)).isFalse();
    assertThat(used(given)).isZero();
    assertThat(given.api().get(UNRESOLVED).data()).isEmpty();
    Plan again = operator.propose(action);
    assertThat(again.action(0).path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(again.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(given.upstream().calls()).hasSize(2);
    assertThat(used(given)).isEqualTo(1);
  }

  @Test
  void aLimitStaysReservedUntilResolvedAsNotApplied(Given given) {
    for (String outcome : List.of("applied", "not_applied")) {
      ObjectNode guardrail = Given.allow(Given.REFUND);
      guardrail.set(
          "limits",
          Json.read(
              "[{'per':'operator','window_seconds':3600,'max_actions':1}]".replace('\'', '"')));
      Operator operator = given.operator(guardrail);
      Plan plan = unknown(given, operator, operator.refund(outcome), "/refunds");
      Plan held = operator.propose(operator.refund("meanwhile"));
      assertThat(held.json().at("/actions/0/verdict/decision").asText()).isEqualTo("ALERT");
      resolved(given, plan, outcome);
      Plan next = operator.propose(operator.refund("next"));
      assertThat(next.json().at("/actions/0/verdict/decision").asText())
          .isEqualTo(outcome.equals("applied") ? "ALERT" : "ALLOW");
    }
  }

  @Test
  void theAllowanceStaysReservedUntilResolvedAsNotApplied(Given given) {
    given.api().patch("/v1/allowance", Json.object().put("hard_cap", 1)).is(200);
    Operator operator = given.operator(Given.allow(Given.REFUND), Given.alert(Given.NOTE));
    Plan next = operator.propose(operator.note("n"));
    Plan plan = unknown(given, operator, operator.refund("a"), "/refunds");
    Answer refused = next.tryApprove();
    refused.isError(429, "quota_exceeded");
    assertThat(refused.header("Retry-After")).isEqualTo("60");
    resolved(given, plan, "not_applied");
    next.approve();
    assertThat(used(given)).isEqualTo(1);
  }

  @Test
  void anActionIsResolvedOnceAndARepeatReturnsTheFirstAnswer(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = unknown(given, operator, operator.refund("a"), "/refunds");
    String path = "/v1/actions/" + plan.actionId(0) + "/resolve";
    String key = Given.unique("key");
    Answer first = given.api().post(path, says("applied"), "Idempotency-Key", key);
    first.is(200);
    Answer again = given.api().post(path, says("applied"), "Idempotency-Key", key);
    assertThat(again.is(200)).isEqualTo(first.json());
    for (String outcome : List.of("applied", "not_applied")) {
      resolve(given.api(), plan.actionId(0), says(outcome)).isError(409, "state_conflict");
    }
    assertThat(plan.action(0)).isEqualTo(first.json());
    assertThat(resolutions(given)).hasSize(1);
    assertThat(used(given)).isEqualTo(1);
  }

  @Test
  void oneOfManyConcurrentResolutionsWins(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = unknown(given, operator, operator.refund("a"), "/refunds");
    List<Answer> answers =
        Together.all(
            6,
            number ->
                resolve(
                    given.api(),
                    plan.actionId(0),
                    says(number % 2 == 0 ? "applied" : "not_applied")));
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(1);
    answers.stream()
        .filter(answer -> answer.status() != 200)
        .forEach(answer -> answer.isError(409, "state_conflict"));
    assertThat(resolutions(given)).hasSize(1);
    boolean applied = plan.action(0).at("/resolution/outcome").asText().equals("applied");
    assertThat(used(given)).isEqualTo(applied ? 1 : 0);
  }

  @Test
  void onlyAnUnknownActionCanBeResolved(Given given) {
    Operator operator =
        given.operator(Given.allow(Given.REFUND), Given.alert(Given.NOTE), Given.block("data.*.*"));
    given.upstream().next("/refunds/failed", new Behaviour.Fail(422));
    Plan plan =
        operator.propose(
            operator.refund("applied"),
            operator.refund("failed"),
            operator.note("held"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")));
    for (int position = 0; position < 4; position++) {
      resolve(given.api(), plan.actionId(position), says("applied")).isError(409, "state_conflict");
    }
    plan.approve();
    for (int position = 0; position < 4; position++) {
      resolve(given.api(), plan.actionId(position), says("applied")).isError(409, "state_conflict");
      assertThat(plan.action(position).path("resolution").isNull()).isTrue();
    }
    assertThat(resolutions(given)).isEmpty();
  }

  @Test
  void anActionThatIsUnknownThroughItsHolderIsResolvedWithIt(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode action = operator.refund("a");
    Plan first = unknown(given, operator, action, "/refunds");
    Plan second = operator.propose(action);
    assertThat(second.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    JsonNode error =
        resolve(given.api(), second.actionId(0), says("applied")).isError(409, "state_conflict");
    assertThat(error.at("/details/holder_action_id").asText()).isEqualTo(first.actionId(0));
    Lists.hold(given.api(), UNRESOLVED, List.of(first.actionId(0)));
    resolved(given, first, "applied");
    resolve(given.api(), second.actionId(0), says("applied")).isError(409, "state_conflict");
    assertThat(used(given)).isEqualTo(1);
  }

  @Test
  void aRepeatInFlightBlocksResolvingAndItsSuccessAllowsOnlyNotApplied(Given given) {
    Operator operator = holding(given);
    Behaviour[] failing = new Behaviour[30];
    java.util.Arrays.fill(failing, new Behaviour.Fail(500));
    given.upstream().next("/extensions", failing);
    ObjectNode action = hold(operator, EXTEND);
    Plan first = new Plan(given.api(), operator.tryPropose(action).is(201)).await("executed");
    assertThat(first.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    given.upstream().asUsual("/extensions");
    Upstream.Gate gate = given.upstream().hold("/extensions");
    Together.Running<Answer> again = Together.start(() -> operator.tryPropose(action));
    gate.awaitCall();
    resolve(given.api(), first.actionId(0), says("not_applied")).isError(409, "state_conflict");
    gate.open();
    Plan second = new Plan(given.api(), again.result().is(201)).await("executed");
    assertThat(second.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(used(given)).isEqualTo(1);
    Lists.hold(given.api(), UNRESOLVED, List.of(first.actionId(0)));
    resolve(given.api(), first.actionId(0), says("applied")).isError(409, "state_conflict");
    resolved(given, first, "not_applied");
    assertThat(used(given)).isEqualTo(1);
    Plan third = operator.propose(action);
    assertThat(third.action(0).path("disposition").asText()).isEqualTo("DEDUP");
    assertThat(third.action(0).path("holder_action_id").asText()).isEqualTo(second.actionId(0));
  }

  @Test
  void nobodyResolvesTheirOwnProposal(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Behaviour.ActAndDrop());
    JsonNode own =
        given
            .api()
            .postPatiently(
                "/v1/operators/" + operator.id() + "/plans",
                Operator.proposal(operator.refund("a")))
            .is(201);
    Plan plan = new Plan(given.api(), own).await("executed");
    JsonNode error =
        resolve(given.api(), plan.actionId(0), says("applied"))
            .isError(403, "approver_not_eligible");
    assertThat(error.at("/details/reason").asText()).isEqualTo("self_approval");
    assertThat(plan.action(0).path("resolution").isNull()).isTrue();
    resolve(given.apiOfRole("operate"), plan.actionId(0), says("applied")).is(200);
  }

  @Test
  void resolvingNeedsItsScopeAReasonAndOneOfTwoOutcomes(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = unknown(given, operator, operator.refund("a"), "/refunds");
    String action = plan.actionId(0);
    for (String role : List.of("read_only", "agent")) {
      resolve(given.apiOfRole(role), action, says("applied")).isError(403, "insufficient_scope");
    }
    Api api = given.api();
    for (String required : List.of("outcome", "reason")) {
      ObjectNode without = says("applied");
      without.remove(required);
      JsonNode error = resolve(api, action, without).isError(400, "missing_parameter");
      assertThat(error.path("param").asText()).isEqualTo(required);
    }
    resolve(api, action, says("unknown")).isInvalid("outcome");
    resolve(api, action, says("applied").put("reason", "")).isInvalid("reason");
    resolve(api, action, says("applied").put("reason", "x".repeat(2_001))).isInvalid("reason");
    resolve(api, action, says("applied").put("upstream_reference", ""))
        .isInvalid("upstream_reference");
    resolve(api, action, says("applied").put("force", true)).isInvalid("force");
    resolve(api, "act_00000000000000000000000000", says("applied")).isError(404, "not_found");
    resolve(given.anotherTenant(), action, says("applied")).isError(404, "not_found");
    assertThat(plan.action(0).path("resolution").isNull()).isTrue();
    assertThat(resolutions(given)).isEmpty();
  }

  @Test
  void anAppliedActionIsUndoneIfItsInverseNeedsNoLostAnswer(Given given) {
    Operator operator = holding(given);
    Plan plan = unknown(given, operator, hold(operator, HOLD), "/holds");
    undo(given, plan).isError(409, "action_not_undoable");
    JsonNode after = resolved(given, plan, "applied");
    assertThat(after.path("undoable").asBoolean()).isTrue();
    undo(given, plan).is(200);
    assertThat(plan.action(0).path("undone").asBoolean()).isTrue();
    assertThat(given.upstream().calls("/releases")).hasSize(1);

    Operator other = given.operator(Given.allow(Given.REFUND));
    Plan lost = unknown(given, other, other.refund("b"), "/refunds");
    resolved(given, lost, "applied");
    undo(given, lost).isError(409, "action_not_undoable");
    assertThat(given.upstream().calls("/cancellations")).isEmpty();
  }

  /** An undo whose reply was lost. */
  private static String unknownUndo(Given given, Plan plan) {
    given.upstream().next("/releases", new Behaviour.ActAndDrop());
    undo(given, plan).isError(502, "connector_upstream_error");
    assertThat(plan.action(0).path("undone").asBoolean(true)).isFalse();
    JsonNode receipt = given.api().get("/v1/receipts?kind=undo&outcome=unknown").data().getFirst();
    String undo = receipt.path("action_id").asText();
    Lists.hold(given.api(), UNRESOLVED, List.of(undo));
    JsonNode error = undo(given, plan).isError(409, "state_conflict");
    assertThat(error.at("/details/undo_action_id").asText()).isEqualTo(undo);
    return undo;
  }

  @Test
  void anUndoResolvedAsAppliedUndoesItsOriginal(Given given) {
    Operator operator = holding(given);
    Plan plan = operator.propose(hold(operator, HOLD)).await("executed");
    String undo = unknownUndo(given, plan);
    resolve(given.api(), undo, says("applied")).is(200);
    JsonNode original = plan.action(0);
    assertThat(original.path("undone").asBoolean()).isTrue();
    assertThat(original.path("undo_action_id").asText()).isEqualTo(undo);
    undo(given, plan).isError(409, "action_not_undoable");
    assertThat(given.upstream().calls("/releases")).hasSize(1);
    assertThat(used(given)).isEqualTo(2);
  }

  @Test
  void anUndoResolvedAsNotAppliedMayBeAskedForAgain(Given given) {
    Operator operator = holding(given);
    Plan plan = operator.propose(hold(operator, HOLD)).await("executed");
    String undo = unknownUndo(given, plan);
    resolve(given.api(), undo, says("not_applied")).is(200);
    assertThat(plan.action(0).path("undone").asBoolean(true)).isFalse();
    JsonNode again = undo(given, plan).is(200);
    assertThat(again.path("undo_action_id").asText()).isNotEqualTo(undo);
    assertThat(plan.action(0).path("undone").asBoolean()).isTrue();
    assertThat(given.upstream().calls("/releases")).hasSize(2);
    assertThat(used(given)).isEqualTo(2);
  }

  /** An operator of a connector after whose lost replies an entity settles for so long. */
  private static Operator settling(Given given, int seconds) {
    String connector = given.install(given.api(), null, seconds);
    return given.operatorOf(
        given.api(), connector, Json.object(), Given.allow(Given.REFUND), Given.alert(Given.NOTE));
  }

  /** The later effect began no sooner than so long after the lost one had come to its end. */
  private static void assertSettled(List<Upstream.Seen> effects, int lost, int seconds) {
    for (Upstream.Seen later : effects.subList(lost + 1, effects.size())) {
      assertThat(Duration.ofNanos(later.began() - effects.get(lost).ended()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(seconds));
    }
  }

  @Test
  void thePlansNextActionRunsOnceTheEntityHasSettled(Given given) {
    Operator operator = settling(given, 2);
    given.upstream().next("/refunds", new Behaviour.ActAndDrop());
    Plan plan =
        new Plan(
                given.api(),
                operator.tryPropose(operator.refund("a"), operator.refund("a")).is(201))
            .await("executed", LONGEST);
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("applied");
    List<Upstream.Seen> effects = given.upstream().effects();
    assertThat(effects).hasSize(2);
    assertSettled(effects, 0, 2);
  }

  @Test
  void whileAnEntitySettlesApprovalsGetARetryTimeAndWaitersRunLater(Given given) {
    int seconds = 40;
    Operator operator = settling(given, seconds);
    Plan applied = operator.propose(operator.refund("a")).await("executed");
    Plan held = operator.propose(operator.note("charge:a"));
    Plan elsewhere = operator.propose(operator.note("charge:b"));
    Plan lost = unknown(given, operator, operator.refund("a"), "/refunds");
    Plan waiting = operator.proposeBehindALock(operator.refund("a"));
    assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
    isToldWhen(held.tryApprove(), lost, seconds);
    isToldWhen(undo(given, applied), lost, seconds);
    resolved(given, lost, "not_applied");
    isToldWhen(held.tryApprove(), lost, seconds);
    // Reading settles nothing.
    Stream.of(lost, waiting, held).forEach(plan -> plan.now().action(0));
    given.api().get(UNRESOLVED).is(200);
    assertThat(waiting.now().json().path("waiting_on").asText()).isEqualTo("lock");
    assertThat(given.upstream().effects()).hasSize(2);
    elsewhere.approve();

    waiting.await("executed", LONGEST);
    assertThat(waiting.receipt(0).path("outcome").asText()).isEqualTo("applied");
    Await.until(LONGEST, held::tryApprove, answer -> answer.status() == 200);
    Await.until(LONGEST, () -> undo(given, applied), answer -> answer.status() == 200);
    List<Upstream.Seen> effects =
        given.upstream().effects().stream()
            .filter(call -> call.path().contains("/refunds") || call.path().contains("/cancel"))
            .toList();
    assertThat(effects).hasSize(4);
    assertSettled(effects, 1, seconds);
  }

  private static void isToldWhen(Answer answer, Plan lost, int seconds) {
    JsonNode details =
        Shape.LOCKED_DETAILS.of(answer.isError(409, "entity_locked").path("details"));
    assertThat(details.path("entity_key").asText()).isEqualTo("charge:a");
    assertThat(details.path("holding_plan_id").asText()).isEqualTo(lost.id());
    assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, seconds);
    assertThat(details.path("retry_after").asText()).isEqualTo(answer.header("Retry-After"));
  }

  @Test
  void anAnsweredUnknownOutcomeLeavesNothingToSettle(Given given) {
    Operator operator = settling(given, 900);
    given.upstream().next("/refunds", new Behaviour.Fail(500));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("a")).await("executed");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("applied");
  }
}
