package io.actiongovernance.localstack.acceptance.action;

import static io.actiongovernance.localstack.acceptance.fixture.Api.encode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Actions, their dispositions and their list (specification, Actions; contract, section 2). */
@Acceptance
final class ActionsSpec {
  @Test
  void anActionCanBeReadOnceItIsProposed(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a", "4.20"), operator.refund("b"));
    JsonNode action = Shape.ACTION.of(plan.action(0), "value");
    Shape.ACTION.of(plan.action(1));
    for (String unset : List.of("disposition", "ok", "receipt_id", "approver", "disposed_at")) {
      assertThat(action.path(unset).isNull()).describedAs(unset).isTrue();
    }
    for (String flag : List.of("skipped", "undoable", "undone")) {
      assertThat(action.path(flag).asBoolean(true)).describedAs(flag).isFalse();
    }
    assertThat(action.at("/verdict/decision").asText()).isEqualTo("ALERT");
    assertThat(given.api().get("/v1/actions?plan_id=" + plan.id()).data()).isEmpty();
  }

  @Test
  void anAppliedActionKeepsItsProposedFormAndItsId(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a", "4.20"));
    JsonNode before = plan.json().at("/actions/0");
    plan.approve();
    JsonNode action = Shape.ACTION.of(plan.action(0), "value");
    for (String field :
        List.of(
            "id",
            "connector",
            "tool",
            "args",
            "value",
            "entity_key",
            "idempotency_key",
            "verdict")) {
      assertThat(action.path(field)).describedAs(field).isEqualTo(before.path(field));
    }
    assertThat(action.path("object").asText()).isEqualTo("action");
    assertThat(action.path("plan_id").asText()).isEqualTo(plan.id());
    assertThat(action.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(action.path("correlation_id")).isEqualTo(plan.json().path("correlation_id"));
    assertThat(action.path("disposition").asText()).isEqualTo("ALERT");
    assertThat(action.path("ok").asBoolean()).isTrue();
    assertThat(action.path("undoable").asBoolean()).isTrue();
    assertThat(action.path("undone").asBoolean()).isFalse();
    assertThat(action.path("undo_of").isNull()).isTrue();
    assertThat(action.path("undo_action_id").isNull()).isTrue();
    assertThat(action.path("disposed_at").asText()).endsWith("Z");
  }

  @Test
  void theUpstreamIsCalledWithTheArgumentsTheKeyAndTheCorrelation(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode proposed = operator.refund("a/ü");
    Plan plan = operator.propose(proposed);
    Upstream.Seen call = given.upstream().calls().getFirst();
    assertThat(call.method()).isEqualTo("POST");
    assertThat(call.path()).isEqualTo("/refunds/a%2F%C3%BC");
    assertThat(call.body()).isEqualTo(proposed.path("args"));
    assertThat(call.idempotencyKey()).isEqualTo(proposed.path("idempotency_key").asText());
    assertThat(call.header("X-Correlation-Id"))
        .isEqualTo(plan.json().path("correlation_id").asText());
  }

  @Test
  void aRefusedActionHasTheFixedError(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"), operator.note("n"));
    JsonNode action = Shape.ACTION.of(plan.action(0), "error");
    assertThat(action.path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(action.path("ok").asBoolean()).isFalse();
    assertThat(action.path("error").asText()).isEqualTo("blocked by trust policy");
    assertThat(action.path("undoable").asBoolean()).isFalse();
    assertThat(action.at("/verdict/rule").isNull()).isTrue();
    assertThat(given.upstream().calls("/refunds")).isEmpty();
  }

  @Test
  void aFailedActionHasTheUpstreamError(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given
        .upstream()
        .next(
            "/refunds",
            new Upstream.Behaviour.Fail(422, "{\"error\":\"already refunded\"}", Map.of()));
    Plan plan = operator.propose(operator.refund("a"));
    assertThat(plan.status()).isEqualTo("executed");
    JsonNode action = Shape.ACTION.of(plan.action(0), "error");
    assertThat(action.path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(action.path("ok").asBoolean()).isFalse();
    assertThat(action.path("error").asText()).contains("422", "already refunded");
    assertThat(action.path("undoable").asBoolean()).isFalse();
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("failed");
    assertThat(plan.receipt(0).path("billable").asBoolean()).isFalse();
  }

  @Test
  void oneFailedActionDoesNotStopTheOthers(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    given.upstream().next("/refunds/b", new Upstream.Behaviour.Fail(400));
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"), operator.refund("c"));
    JsonNode result = plan.approve();
    assertThat(result.path("results"))
        .extracting(one -> one.path("ok").asBoolean())
        .containsExactly(true, false, true);
  }

  @Test
  void aToolWithoutSideEffectsIsNotUndoable(Given given) {
    Operator operator = given.operator();
    Plan plan =
        operator.propose(operator.action(Given.READ, "charge:a", Json.object().put("charge", "a")));
    JsonNode action = plan.action(0);
    assertThat(action.path("ok").asBoolean()).isTrue();
    assertThat(action.path("undoable").asBoolean()).isFalse();
    assertThat(plan.receipt(0).path("billable").asBoolean()).isTrue();
    assertThat(given.upstream().calls().getFirst().method()).isEqualTo("GET");
  }

  @Test
  void aSourceSystemThatAsksForARetryIsCalledAgain(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given
        .upstream()
        .next(
            "/refunds",
            new Upstream.Behaviour.Fail(503, "", Map.of("Retry-After", "0")),
            new Upstream.Behaviour.Fail(429));
    Plan plan = operator.propose(operator.refund("a"));
    assertThat(plan.action(0).path("ok").asBoolean()).isTrue();
    assertThat(given.upstream().calls()).hasSize(3);
    assertThat(given.upstream().calls())
        .extracting(Upstream.Seen::idempotencyKey)
        .hasSize(3)
        .containsOnly(plan.json().at("/actions/0/idempotency_key").asText());
  }

  @Test
  void anActionListItemHasExactlyItsFields(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    JsonNode item = given.api().get("/v1/actions?plan_id=" + plan.id()).data().getFirst();
    Shape.ACTION_ITEM.of(item);
    JsonNode action = plan.action(0);
    item.properties()
        .forEach(
            field ->
                assertThat(field.getValue())
                    .describedAs(field.getKey())
                    .isEqualTo(action.path(field.getKey())));
  }

  @Test
  void actionsAreListedByTheirDisposalNewestFirstAndPaged(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    List<Plan> plans = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      plans.add(operator.propose(operator.refund("ch" + number)));
    }
    List<String> newestFirst = new ArrayList<>();
    for (int number : new int[] {2, 0, 3, 1}) {
      plans.get(number).approve();
      newestFirst.addFirst(plans.get(number).actionId(0));
    }
    Lists.hold(given.api(), "/v1/actions?operator_id=" + operator.id(), newestFirst);
  }

  @Test
  void everyFilterExcludesActionsThatDoNotMatch(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    String charge = Given.unique("ch");
    Plan first = operator.propose(operator.refund(charge));
    first.approve();
    Plan second = operator.propose(operator.note("charge:" + charge));
    ObjectNode again = operator.note("charge:" + charge);
    again.set("idempotency_key", second.json().at("/actions/0/idempotency_key"));
    Plan third = operator.propose(again);
    Plan fourth =
        operator.propose(
            operator.note("elsewhere"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")));
    Api api = given.api();
    String of = "/v1/actions?operator_id=" + operator.id();
    Lists.hold(api, of + "&disposition=ALERT", List.of(first.actionId(0)));
    Lists.hold(api, of + "&disposition=DEDUP", List.of(third.actionId(0)));
    Lists.hold(api, of + "&disposition=BLOCK", List.of(fourth.actionId(1)));
    Lists.hold(api, of + "&disposition=ALLOW", List.of(fourth.actionId(0), second.actionId(0)));
    Lists.hold(api, of + "&plan_id=" + second.id(), List.of(second.actionId(0)));
    Lists.hold(
        api,
        "/v1/actions?entity=" + encode("charge:" + charge),
        List.of(third.actionId(0), second.actionId(0), first.actionId(0)));
    Lists.hold(
        api,
        "/v1/actions?disposition=ALLOW&entity=" + encode("charge:" + charge),
        List.of(second.actionId(0)));
    String at = second.action(0).path("disposed_at").asText();
    Lists.hold(api, of + "&until=" + at, List.of(first.actionId(0)));
    Lists.hold(
        api,
        "/v1/actions?entity=" + encode("charge:" + charge) + "&since=" + at,
        List.of(third.actionId(0), second.actionId(0)));
  }

  @Test
  void aCursorIsBoundToTheFiltersAndTheRoute(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    operator.propose(operator.note("a"), operator.note("a"), operator.note("a"));
    Lists.bindCursors(
        given.api(),
        "/v1/actions?operator_id=" + operator.id(),
        "&disposition=ALLOW",
        "/v1/plans?operator_id=" + operator.id());
  }

  @Test
  void theListRefusesUnknownParametersAndValues(Given given) {
    Lists.refuseNonsense(given.api(), "/v1/actions");
    given.api().get("/v1/actions?disposition=MAYBE").isInvalid("disposition");
    given.api().get("/v1/actions?plan_id=act_1").isInvalid("plan_id");
    given.api().get("/v1/actions?operator_id=x").isInvalid("operator_id");
  }

  @Test
  void aMissingOrForeignActionIs404(Given given) {
    given.api().get("/v1/actions/act_00000000000000000000000000").isError(404, "not_found");
    given.api().get("/v1/actions/nonsense").isError(404, "not_found");
    Operator operator = given.operator(Given.allow(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    String path = "/v1/actions/" + plan.actionId(0);
    given.testApi().get(path).isError(404, "not_found");
    assertThat(given.testApi().get("/v1/actions?plan_id=" + plan.id()).data()).isEmpty();
    Api other = given.anotherTenant();
    other.get(path).isError(404, "not_found");
    other.post(path + "/undo").isError(404, "not_found");
    assertThat(other.get("/v1/actions").data()).isEmpty();
  }

  @Test
  void readingActionsNeedsItsScope(Given given) {
    Api keys = given.apiOfScopes("plans:read");
    keys.get("/v1/actions").isError(403, "insufficient_scope");
    keys.get("/v1/actions/act_00000000000000000000000000").isError(403, "insufficient_scope");
  }
}
