package io.actiongovernance.localstack.acceptance.plan;

import static io.actiongovernance.localstack.acceptance.fixture.Api.encode;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Api;
import io.actiongovernance.localstack.acceptance.fixture.Await;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Lists;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans and how they are read (specification, Plans; contract, section 2). */
@Acceptance
final class PlansSpec {
  @Test
  void anUnheldPlanIsExecutedWithoutWaiting(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    JsonNode plan = operator.propose(operator.refund(Given.unique("ch"))).json();
    assertThat(plan.path("status").asText()).isEqualTo("executed");
    assertThat(plan.path("disposed_at").asText()).endsWith("Z");
    assertThat(plan.path("waiting_on").isNull()).isTrue();
    assertThat(plan.path("approver").isNull()).isTrue();
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void aPlanWithOneAlertIsHeldWhole(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Operator.Plan plan =
        operator.propose(operator.note(Given.unique("n")), operator.refund(Given.unique("ch")));
    assertThat(plan.status()).isEqualTo("proposed");
    assertThat(plan.json().path("waiting_on").asText()).isEqualTo("approval");
    assertThat(plan.json().path("disposed_at").isNull()).isTrue();
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void anUnheldPlanWithABlockRunsOnlyItsAllowedActions(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    Operator.Plan plan =
        operator.propose(operator.refund(Given.unique("ch")), operator.note(Given.unique("n")));
    assertThat(plan.status()).isEqualTo("executed");
    assertThat(plan.action(0).path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(plan.action(1).path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(given.upstream().effects()).hasSize(1);
  }

  @Test
  void thePlanObjectHasExactlyItsFields(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(operator.refund("c1", "42.50"), operator.refund(Given.unique("ch")));
    JsonNode json = Shape.PLAN.of(plan.now().json());
    assertThat(json).isEqualTo(plan.json());
    Shape.PLANNED_ACTION.of(json.at("/actions/0"), "value");
    Shape.PLANNED_ACTION.of(json.at("/actions/1"));
    Shape.VERDICT.of(json.at("/actions/0/verdict"));
    assertThat(json.path("object").asText()).isEqualTo("execution_plan");
    assertThat(json.path("id").asText()).matches("pl_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(json.at("/actions/0/id").asText()).matches("act_[0-9a-hjkmnp-tv-z]{26}");
    assertThat(json.path("proposed_at").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(json.path("operator_id").asText()).isEqualTo(operator.id());
    assertThat(json.path("correlation_id").asText()).startsWith("co_");
    assertThat(json.path("guardrails_version").asInt()).isEqualTo(1);
    Shape.PROPOSED_BY.of(json.path("proposed_by"));
    for (String unset :
        List.of(
            "event_id",
            "decided_by",
            "approval_id",
            "approver",
            "note",
            "vetoed_by",
            "vetoed_by_principal",
            "veto_reason")) {
      assertThat(json.path(unset).isNull()).describedAs(unset).isTrue();
    }
  }

  @Test
  void aPlannedActionIsAsProposed(Given given) {
    Operator operator = given.operator(Given.alert("pay.refund.*"));
    BigDecimal amount = new BigDecimal("12345678901234567890.123");
    var proposed = operator.refund("ch_1", amount.toString());
    ((ObjectNode) proposed.path("args")).put("amount", amount).put("currency", "usd");
    JsonNode action = operator.propose(proposed).now().json().at("/actions/0");
    for (String field : List.of("connector", "tool", "args", "entity_key", "idempotency_key")) {
      assertThat(action.path(field)).describedAs(field).isEqualTo(proposed.path(field));
    }
    assertThat(action.path("value").isNumber()).isTrue();
    assertThat(action.path("value").decimalValue()).isEqualByComparingTo(amount);
    assertThat(action.path("currency").asText()).isEqualTo("usd");
    assertThat(action.path("summary").asText())
        .isEqualTo("Refund 12345678901234567890.123 of charge ch_1");
    assertThat(action.path("claimed")).isEmpty();
    assertThat(action.at("/verdict/decision").asText()).isEqualTo("ALERT");
    assertThat(action.at("/verdict/tier").asInt()).isEqualTo(2);
    assertThat(action.at("/verdict/rule").asText()).isEqualTo("alert-pay-refund-any");
  }

  @Test
  void reasoningIsKeptVerbatimAndMayBeNull(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String path = "/v1/operators/" + operator.id() + "/plans";
    var body = Operator.proposal(operator.refund("a"));
    String words = "  Zeile 1\n\t\"two\" — ünï 🙂 ";
    assertThat(
            given.api().post(path, body.put("reasoning", words)).is(201).path("reasoning").asText())
        .isEqualTo(words);
    body.remove("reasoning");
    assertThat(given.api().post(path, body).is(201).path("reasoning").isNull()).isTrue();
  }

  @Test
  void thePlanListItemHasExactlyItsFields(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(operator.refund("a", "42.50"), operator.note("n"), operator.refund("b"));
    JsonNode item = given.api().get("/v1/plans?operator_id=" + operator.id()).data().getFirst();
    Shape.PLAN_ITEM.of(item);
    assertThat(item.path("action_count").asInt()).isEqualTo(3);
    assertThat(item.path("max_tier").asInt()).isEqualTo(2);
    assertThat(item.path("summary").asText()).isEqualTo("Refund 42.50 of charge a");
    assertThat(item.path("currency").isNull()).isTrue();
    assertThat(item.path("value").decimalValue()).isEqualByComparingTo("42.50");
    assertThat(item.path("proposed_by")).isEqualTo(plan.json().path("proposed_by"));
    for (String field :
        List.of("id", "object", "status", "waiting_on", "proposed_at", "expires_at")) {
      assertThat(item.path(field)).describedAs(field).isEqualTo(plan.json().path(field));
    }
  }

  private static JsonNode item(Given given, Operator operator) {
    return given.api().get("/v1/plans?operator_id=" + operator.id()).data().getFirst();
  }

  private static ObjectNode of(ObjectNode refund, String currency) {
    ((ObjectNode) refund.path("args")).put("currency", currency);
    return refund;
  }

  @Test
  void theValuesOfAPlanAreTheSumsOfAllActionsThatMayRun(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Operator.Plan plan =
        operator.propose(
            operator.refund("a", "1.00"),
            of(operator.refund("b", "20.5"), "eur"),
            operator.action(Given.DELETE, "record:1", Json.object().put("record", "1")),
            operator.refund("c", "999.00"),
            operator.note("n"));
    String sums =
        """
        [{"currency":null,"sum":1000.00,"claimed":false},
         {"currency":"eur","sum":20.5,"claimed":false}]
        """;
    for (JsonNode shown : List.of(plan.json(), item(given, operator))) {
      assertThat(shown.path("values")).isEqualTo(Json.read(sums));
      shown.path("values").forEach(Shape.VALUE_SUM::of);
      assertThat(shown.path("summaries_more").asInt()).isEqualTo(3);
    }
    JsonNode item = item(given, operator);
    assertThat(item.path("max_tier").asInt()).as("without the blocked one of tier 3").isEqualTo(2);
    assertThat(item.path("summary").asText()).isEqualTo("Refund 1.00 of charge a");
    assertThat(item.path("value").decimalValue()).isEqualByComparingTo("1.00");
  }

  @Test
  void negativeValuesAreSummedApartAndClaimsAreMarked(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    ObjectNode claimed = operator.note("n").put("value", "3").put("currency", "usd");
    Operator.Plan plan =
        operator.propose(
            of(operator.refund("a", "999.00"), "usd"),
            of(operator.refund("b", "-998.00"), "usd"),
            claimed);
    JsonNode sums =
        Json.read(
            """
            [{"currency":"usd","sum":1002.00,"claimed":true},
             {"currency":"usd","sum":-998.00,"claimed":false}]
            """);
    assertThat(plan.json().path("values")).isEqualTo(sums);
    assertThat(item(given, operator).path("values")).isEqualTo(sums);
  }

  @Test
  void actionsBlockedSinceTheProposalAreNotSummed(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(operator.refund("a", "1.00"), operator.refund("b", "2.00"));
    ObjectNode small = Given.block(Given.REFUND);
    small.set("conditions", Json.read("{\"entity_key\":\"charge:b\"}"));
    operator.guardrails(Given.alert(Given.REFUND), small);
    JsonNode now = plan.now().json();
    assertThat(now.at("/values/0/sum").decimalValue()).isEqualByComparingTo("1.00");
    assertThat(now.path("summaries_more").asInt()).isZero();
    assertThat(item(given, operator).at("/values/0/sum").decimalValue())
        .as("a list goes by the proposal")
        .isEqualByComparingTo("3.00");
    plan.approve();
    JsonNode after = plan.now().json();
    assertThat(after.at("/values/0/sum").decimalValue())
        .as("a refused action is not summed")
        .isEqualByComparingTo("1.00");
  }

  @Test
  void actionsLeftOutOfAnApprovalAreNotSummed(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan =
        operator.propose(operator.refund("a", "1.00"), operator.refund("b", "2.00"));
    ObjectNode body = Json.object();
    body.putArray("action_ids").add(plan.actionId(1));
    given.api().post(plan.path() + "/approve", body).is(200);
    JsonNode now = plan.now().json();
    assertThat(now.at("/values/0/sum").decimalValue()).isEqualByComparingTo("2.00");
    assertThat(now.path("summaries_more").asInt()).isEqualTo(1);
  }

  private static JsonNode outcomes(JsonNode plan) {
    return Shape.PLAN_OUTCOMES.of(plan.path("outcomes"));
  }

  @Test
  void anExecutedPlanCountsItsActionsByOutcome(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    ObjectNode again = operator.note("same");
    operator.propose(again).approve();
    given.upstream().next("/refunds/fails", new Upstream.Behaviour.Fail(400));
    given.upstream().next("/refunds/lost", new Upstream.Behaviour.ActAndDrop());
    Operator.Plan plan =
        operator.propose(
            operator.refund("works"),
            operator.refund("fails"),
            operator.refund("lost"),
            operator.refund("blocked"),
            operator.refund("left"),
            again);
    assertThat(plan.json().path("outcomes").isNull()).isTrue();
    assertThat(item(given, operator).path("outcomes").isNull()).isTrue();
    ObjectNode block = Given.block(Given.REFUND);
    block.set("conditions", Json.read("{\"entity_key\":\"charge:blocked\"}"));
    operator.guardrails(Given.alert(Given.REFUND), Given.alert(Given.NOTE), block);
    ObjectNode body = Json.object();
    for (int position : List.of(0, 1, 2, 3, 5)) {
      body.withArray("action_ids").add(plan.actionId(position));
    }
    given.api().postPatiently(plan.path() + "/approve", body).is(200);
    JsonNode counts =
        Json.read(
            """
            {"applied":1,"refused":1,"failed":1,"unknown":1,"deduplicated":1,"skipped":1}
            """);
    assertThat(outcomes(plan.now().json())).isEqualTo(counts);
    assertThat(outcomes(item(given, operator))).isEqualTo(counts);
  }

  @Test
  void anExecutedPlanCountsZeroAppliedIfNothingRan(Given given) {
    Operator operator = given.operator(Given.block(Given.REFUND));
    operator.tryPropose(operator.refund("a")).isError(422, "policy_blocked");
    JsonNode item = item(given, operator);
    assertThat(item.path("status").asText()).isEqualTo("executed");
    assertThat(outcomes(item).path("refused").asInt()).isEqualTo(1);
    assertThat(outcomes(item).path("applied").asInt()).isZero();
  }

  @Test
  void aPlanThatEndedWithoutRunningHasNoOutcomes(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("a"));
    plan.tryVeto("No.").is(200);
    assertThat(plan.now().json().path("outcomes").isNull()).isTrue();
    assertThat(item(given, operator).path("outcomes").isNull()).isTrue();
  }

  @Test
  void aPlanWithoutRunnableActionsHasNoSums(Given given) {
    Operator operator = given.operator(Given.block(Given.REFUND));
    operator.tryPropose(operator.refund("a", "5.00")).isError(422, "policy_blocked");
    JsonNode item = item(given, operator);
    assertThat(item.path("values")).isEmpty();
    assertThat(item.path("summaries_more").asInt()).isZero();
    assertThat(item.path("max_tier").asInt()).as("of what was refused").isEqualTo(2);
  }

  @Test
  void aPlanExpiresAfter72HoursUnlessItsOperatorSetsAnother(Given given) {
    Operator usual = given.operator(Given.alert(Given.REFUND));
    assertThat(lifetime(usual.propose(usual.refund("a")))).isEqualTo(Duration.ofDays(3));
    Operator brief =
        given.operatorWith(Json.object().put("plan_ttl_seconds", 90), Given.alert(Given.REFUND));
    assertThat(lifetime(brief.propose(brief.refund("a")))).isEqualTo(Duration.ofSeconds(90));
  }

  private static Duration lifetime(Operator.Plan plan) {
    return Duration.between(
        Instant.parse(plan.json().path("proposed_at").asText()),
        Instant.parse(plan.json().path("expires_at").asText()));
  }

  @Test
  void plansAreListedNewestFirstAndPagedWithoutGapOrRepeat(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    List<String> ids = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      ids.addFirst(operator.propose(operator.refund("ch" + number)).id());
    }
    Lists.hold(given.api(), "/v1/plans?operator_id=" + operator.id(), ids);
  }

  @Test
  void everyFilterExcludesPlansThatDoNotMatch(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Operator other = given.operator(Given.alert(Given.REFUND));
    String charge = Given.unique("ch");
    Operator.Plan held = operator.propose(operator.refund("x"), operator.refund(charge));
    Operator.Plan vetoed = operator.propose(operator.refund(charge));
    vetoed.tryVeto("No.").is(200);
    Operator.Plan executed = operator.propose(operator.note("charge:" + charge));
    Operator.Plan others = other.propose(other.refund(charge));
    Api api = given.api();
    String entity = "entity=" + encode("charge:" + charge);
    String of = "/v1/plans?operator_id=" + operator.id();

    Lists.hold(api, of, List.of(executed.id(), vetoed.id(), held.id()));
    Lists.hold(api, of + "&status=proposed", List.of(held.id()));
    Lists.hold(api, of + "&status=vetoed", List.of(vetoed.id()));
    Lists.hold(api, of + "&status=executed", List.of(executed.id()));
    Lists.hold(api, of + "&status=expired", List.of());
    Lists.hold(api, of + "&waiting_on=approval", List.of(held.id()));
    Lists.hold(api, of + "&waiting_on=lock", List.of());
    Lists.hold(
        api, "/v1/plans?" + entity, List.of(others.id(), executed.id(), vetoed.id(), held.id()));
    Lists.hold(
        api,
        "/v1/plans?status=proposed&waiting_on=approval&" + entity,
        List.of(others.id(), held.id()));
    Lists.hold(api, of + "&status=vetoed&" + entity, List.of(vetoed.id()));
  }

  /** An operator whose refunds are held for so long. */
  private static Operator holding(Given given, int seconds) {
    return given.operatorWith(
        Json.object().put("plan_ttl_seconds", seconds), Given.alert(Given.REFUND));
  }

  private static final String QUEUE = "/v1/plans?status=proposed&waiting_on=approval";

  @Test
  void theApprovalQueueCanBeReadByItsDeadlines(Given given) {
    String charge = Given.unique("ch");
    Operator late = holding(given, 9_000);
    Operator early = holding(given, 3_000);
    Operator middle = holding(given, 6_000);
    Operator.Plan third = late.propose(late.refund(charge));
    Operator.Plan first = early.propose(early.refund(charge));
    Operator.Plan second = middle.propose(middle.refund(charge), middle.refund("other"));
    middle.propose(middle.refund(charge)).tryVeto("No.").is(200);
    early.propose(early.refund("elsewhere"));
    String queue = QUEUE + "&order=deadline&entity=" + encode("charge:" + charge);
    Lists.hold(given.api(), queue, List.of(first.id(), second.id(), third.id()));
    Lists.hold(given.api(), queue + "&operator_id=" + middle.id(), List.of(second.id()));
    String since = queue + "&since=" + second.json().path("proposed_at").asText();
    Lists.hold(given.api(), since, List.of(second.id()));
    Lists.bindCursors(given.api(), queue, "&operator_id=" + middle.id(), "/v1/actions");
    String cursor = given.api().get(queue + "&limit=1").json().path("next_cursor").asText();
    given
        .api()
        .get(queue.replace("&order=deadline", "") + "&limit=1&cursor=" + encode(cursor))
        .isError(400, "invalid_cursor");
  }

  @Test
  void theDeadlineOrderCountsTimeReturnedByAHalt(Given given) {
    String charge = Given.unique("ch");
    Operator halted = holding(given, 3_000);
    Operator other = holding(given, 3_003);
    Operator.Plan first = halted.propose(halted.refund(charge));
    Operator.Plan second = other.propose(other.refund(charge));
    ObjectNode halt =
        Json.object().put("scope", "operator").put("id", halted.id()).put("reason", "Wait.");
    String id = given.api().post("/v1/halts", halt).is(201).path("id").asText();
    String queue = QUEUE + "&order=deadline&entity=" + encode("charge:" + charge);
    Await.until(
        Duration.ofSeconds(30),
        () -> given.api().get(queue).ids(),
        List.of(second.id(), first.id())::equals);
    given.api().post("/v1/halts/" + id + "/lift", Json.object().put("reason", "On.")).is(200);
    assertThat(given.api().get(queue).ids()).containsExactly(second.id(), first.id());
  }

  @Test
  void onlyTheApprovalQueueHasDeadlines(Given given) {
    given.api().get("/v1/plans?order=deadline").isInvalid("order");
    given.api().get("/v1/plans?status=proposed&order=deadline").isInvalid("order");
    given.api().get("/v1/plans?waiting_on=approval&order=deadline").isInvalid("order");
    given
        .api()
        .get("/v1/plans?status=vetoed&waiting_on=approval&order=deadline")
        .isInvalid("order");
    given.api().get(QUEUE + "&order=asc").isInvalid("order");
    given.api().get("/v1/actions?order=deadline").isInvalid("order");
  }

  @Test
  void plansAreFilteredByTheirEvent(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    String event = given.event("order.created", Json.object()).path("id").asText();
    operator.propose(operator.refund("a"));
    JsonNode plan =
        given
            .api()
            .post(
                "/v1/operators/" + operator.id() + "/plans",
                Operator.proposal(operator.refund("b")).put("event_id", event))
            .is(201);
    assertThat(plan.path("event_id").asText()).isEqualTo(event);
    Lists.hold(given.api(), "/v1/plans?event_id=" + event, List.of(plan.path("id").asText()));
  }

  @Test
  void sinceIsInclusiveAndUntilExclusive(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan first = operator.propose(operator.refund("a"));
    Operator.Plan second = operator.propose(operator.refund("b"));
    String at = second.json().path("proposed_at").asText();
    String of = "/v1/plans?operator_id=" + operator.id();
    Lists.hold(given.api(), of + "&since=" + at, List.of(second.id()));
    Lists.hold(given.api(), of + "&until=" + at, List.of(first.id()));
    String elsewhere = encode(at.replace("Z", "+00:00"));
    Lists.hold(given.api(), of + "&since=" + elsewhere, List.of(second.id()));
    Lists.hold(given.api(), of + "&since=" + at + "&until=" + at, List.of());
  }

  @Test
  void aCursorIsBoundToTheFiltersAndTheRoute(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    for (int number = 0; number < 3; number++) {
      operator.propose(operator.refund("ch" + number));
    }
    Lists.bindCursors(
        given.api(), "/v1/plans?operator_id=" + operator.id(), "&status=proposed", "/v1/actions");
  }

  @Test
  void aCursorOfAnotherModeOrTenantIsInvalid(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    operator.propose(operator.refund("a"));
    operator.propose(operator.refund("b"));
    String cursor = given.api().get("/v1/plans?limit=1").json().path("next_cursor").asText();
    String path = "/v1/plans?limit=1&cursor=" + encode(cursor);
    given.testApi().get(path).isError(400, "invalid_cursor");
    given.anotherTenant().get(path).isError(400, "invalid_cursor");
  }

  @Test
  void theListRefusesUnknownParametersAndValues(Given given) {
    Lists.refuseNonsense(given.api(), "/v1/plans");
    given.api().get("/v1/plans?status=open").isInvalid("status");
    given.api().get("/v1/plans?waiting_on=godot").isInvalid("waiting_on");
    given.api().get("/v1/plans?operator_id=nobody").isInvalid("operator_id");
    given.api().get("/v1/plans?event_id=pl_1").isInvalid("event_id");
  }

  @Test
  void aMissingPlanIs404(Given given) {
    given.api().get("/v1/plans/pl_00000000000000000000000000").isError(404, "not_found");
    given.api().get("/v1/plans/nonsense").isError(404, "not_found");
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("a"));
    given.api().get("/v1/plans/" + plan.actionId(0)).isError(404, "not_found");
  }

  @Test
  void anotherTenantsPlanReadsAs404(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("a"));
    Api other = given.anotherTenant();
    other.get(plan.path()).isError(404, "not_found");
    other.post(plan.path() + "/approve").isError(404, "not_found");
    other.post(plan.path() + "/veto", Json.object().put("reason", "No.")).isError(404, "not_found");
    assertThat(other.get("/v1/plans").data()).isEmpty();
    assertThat(plan.now().status()).isEqualTo("proposed");
  }

  @Test
  void liveAndTestPlansAreSeparate(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Operator.Plan plan = operator.propose(operator.refund("a"));
    Api test = given.testApi();
    test.get(plan.path()).isError(404, "not_found");
    test.post(plan.path() + "/approve").isError(404, "not_found");
    assertThat(test.get("/v1/plans?operator_id=" + operator.id()).data()).isEmpty();
  }

  @Test
  void aPinnedKeySeesOnlyPlansOfItsWorkspace(Given given) {
    String workspace = Given.unique("ws");
    Api pinned = given.apiWith(Json.object().put("role", "admin").put("workspace_id", workspace));
    Operator tenantWide = given.operator(Given.alert(Given.REFUND));
    Operator.Plan hidden = tenantWide.propose(tenantWide.refund("a"));
    Operator own =
        given.operatorOf(
            pinned, given.install(pinned, workspace), Json.object(), Given.alert(Given.REFUND));
    Operator.Plan seen = own.propose(own.refund("b"));
    assertThat(pinned.get("/v1/plans").ids()).containsExactly(seen.id());
    pinned.get(hidden.path()).isError(404, "not_found");
    pinned.post(hidden.path() + "/approve").isError(404, "not_found");
    pinned.get("/v1/actions/" + hidden.actionId(0)).isError(404, "not_found");
    assertThat(given.api().get(seen.path()).status()).isEqualTo(200);
    Api elsewhere =
        given.apiWith(Json.object().put("role", "admin").put("workspace_id", Given.unique("ws")));
    elsewhere.get(seen.path()).isError(404, "not_found");
    assertThat(elsewhere.get("/v1/plans").data()).isEmpty();
  }

  @Test
  void readingPlansNeedsItsScope(Given given) {
    Api ingest = given.apiOfRole("ingest");
    ingest.get("/v1/plans").isError(403, "insufficient_scope");
    ingest.get("/v1/plans/pl_00000000000000000000000000").isError(403, "insufficient_scope");
    assertThat(given.apiOfRole("read_only").get("/v1/plans").status()).isEqualTo(200);
  }
}
