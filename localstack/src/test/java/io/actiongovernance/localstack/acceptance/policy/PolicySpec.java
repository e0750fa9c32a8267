package io.actiongovernance.localstack.acceptance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Together;
import io.actiongovernance.localstack.acceptance.fixture.Together.Running;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The trust policy, at proposal and at execution (specification, rule 3; contract, section 3). */
@Acceptance
final class PolicySpec {
  private static ObjectNode named(String name, ObjectNode guardrail) {
    return guardrail.put("name", name);
  }

  private static ObjectNode limited(ObjectNode guardrail, String limit) {
    guardrail.set("limits", Json.read("[" + limit + "]"));
    return guardrail;
  }

  private static ObjectNode when(ObjectNode guardrail, String conditions) {
    guardrail.set("conditions", Json.read(conditions));
    return guardrail;
  }

  /** The verdict on an action, by a plan that is vetoed right away or refused. */
  private static JsonNode verdict(Operator operator, ObjectNode action) {
    Answer answer = operator.tryPropose(action);
    return answer.status() == 422
        ? answer.isError(422, "policy_blocked").at("/details/verdicts/0")
        : answer.is(201).at("/actions/0/verdict");
  }

  private static String decision(Operator operator, ObjectNode action) {
    return verdict(operator, action).path("decision").asText();
  }

  @Test
  void withoutAMatchingGuardrailASideEffectIsBlocked(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    JsonNode verdict = verdict(operator, operator.refund("a"));
    assertThat(verdict.path("decision").asText()).isEqualTo("BLOCK");
    assertThat(verdict.path("rule").isNull()).isTrue();
    assertThat(verdict.path("tier").asInt()).isEqualTo(2);
    assertThat(given.upstream().calls()).isEmpty();
  }

  @Test
  void guardrailsThatMatchNoToolAreNamedAndNotRefused(Given given) {
    Operator operator = given.operator();
    ObjectNode misspelt = named("misspelt", Given.allow("pay.refnd.create"));
    ObjectNode[] guardrails = {
      misspelt,
      named("glob", Given.block("nothing.*")),
      named("exact", Given.allow(Given.REFUND)),
      named("here", Given.allow(Given.NOTE).put("connector", operator.connector())),
      named("gone", Given.allow(Given.NOTE).put("connector", "cn_" + "0".repeat(26))),
      named("off", Given.allow("pay.refnd").put("enabled", false)),
      named("other-tier", when(Given.allow(Given.REFUND), "{\"max_tier\":0}")),
    };
    JsonNode names = Json.read("[\"misspelt\",\"glob\",\"gone\"]");
    JsonNode put =
        given.api().put(operator.guardrailsPath(), Operator.guardrailsBody(1, guardrails)).is(200);
    assertThat(put.path("matches_no_tool")).isEqualTo(names);
    assertThat(put.path("guardrails_version").asInt()).isEqualTo(2);
    assertThat(
            given
                .api()
                .post(operator.guardrailsPath() + "/analyze", Json.object())
                .is(200)
                .path("matches_no_tool"))
        .isEqualTo(names);
    ObjectNode question = Json.object();
    question.putArray("actions").add(operator.refund("a"));
    assertThat(simulated(operator, question)).isEqualTo(names);
    question.putArray("guardrails").add(guardrails[2]);
    assertThat(simulated(operator, question)).isEqualTo(Json.read("[]"));

    String path = "/v1/operators/" + operator.id();
    ObjectNode body = Json.object();
    body.putArray("guardrails").add(misspelt);
    assertThat(given.api().patch(path, body).is(200).path("matches_no_tool"))
        .isEqualTo(Json.read("[\"misspelt\"]"));
    assertThat(given.api().get(path).is(200).has("matches_no_tool")).isFalse();
    body.put("name", Given.unique("desk"));
    JsonNode created = given.api().post("/v1/operators", body).is(201);
    assertThat(created.path("matches_no_tool")).isEqualTo(Json.read("[\"misspelt\"]"));
    ObjectNode beyond = Json.object().put("name", Given.unique("desk")).put("status", "draft");
    beyond.putArray("capabilities").add("data.nothing");
    beyond.putArray("guardrails").add(guardrails[2]);
    assertThat(given.api().post("/v1/operators", beyond).is(201).path("matches_no_tool"))
        .as("tools of other capabilities are not within its reach")
        .isEqualTo(Json.read("[\"exact\"]"));
    JsonNode described = given.api().patch(path, Json.object().put("description", "x")).is(200);
    assertThat(described.has("matches_no_tool")).isFalse();
  }

  private static JsonNode simulated(Operator operator, ObjectNode question) {
    return operator
        .api()
        .post(operator.guardrailsPath() + "/simulate", question)
        .is(200)
        .path("matches_no_tool");
  }

  @Test
  void noNegativeValuePassesAsASmallOne(Given given) {
    Operator operator =
        given.operator(
            when(named("small", Given.allow(Given.REFUND)), "{\"max_value\":\"50.00\"}"));
    JsonNode before = given.api().get(operator.guardrailsPath()).is(200);
    assertThat(before.at("/guardrails/0/conditions/min_value").isNull()).isTrue();
    assertThat(decision(operator, operator.refund("a", "-9000"))).isEqualTo("BLOCK");
    assertThat(decision(operator, operator.refund("b", "0"))).isEqualTo("ALLOW");
    operator.guardrails(
        when(
            named("small", Given.allow(Given.REFUND)),
            "{\"min_value\":\"-9000\",\"max_value\":\"50.00\"}"));
    assertThat(decision(operator, operator.refund("c", "-9000"))).isEqualTo("ALLOW");
    operator.guardrails(
        named("any", Given.allow(Given.REFUND)).put("priority", 200),
        when(named("never", Given.block(Given.REFUND)), "{\"max_value\":\"50.00\"}"));
    assertThat(verdict(operator, operator.refund("d", "-9000")).path("rule").asText())
        .as("a BLOCK is not loosened")
        .isEqualTo("never");
    operator.guardrails(
        limited(
            named("sum", Given.allow(Given.REFUND)),
            "{\"per\":\"operator\",\"window_seconds\":60,\"max_value\":\"50.00\"}"));
    assertThat(decision(operator, operator.refund("e", "-9000")))
        .as("no negative value makes room in a limit")
        .isEqualTo("ALERT");
  }

  @Test
  void noTrailingLineEndEvadesABlock(Given given) {
    ObjectNode connector =
        Json.object().put("listing_id", "cn-http").put("name", Given.unique("deploy"));
    connector
        .putObject("config")
        .put("base_url", given.upstream().url())
        .set(
            "tools",
            Json.read(
                """
                [{"name":"deploy.run","capability":"deploy","tier":2,
                  "input_schema":{"type":"object","required":["env"],
                    "properties":{"env":{"type":"string","pattern":"^[a-z]+$"}},
                    "patternProperties":{"^x[a-z]+$":{}},"propertyNames":{"pattern":"^[a-z]+$"},
                    "additionalProperties":false},
                  "request":{"method":"POST","path":"/deploy"}}]"""));
    String id = given.api().post("/v1/connectors", connector).is(201).path("id").asText();
    Operator operator =
        given.operatorOf(
            given.api(),
            id,
            Json.object(),
            when(
                named("no-prod", Given.block("deploy.run")),
                "{\"args\":[{\"path\":\"/env\",\"op\":\"eq\",\"value\":\"prod\"}]}"),
            named("rest", Given.allow("deploy.run")));
    for (String end : new String[] {"\n", "\r", "\r\n", "\u2028", "\u2029", "\u0085"}) {
      operator
          .tryPropose(
              operator.action("deploy.run", "env:a", Json.object().put("env", "prod" + end)))
          .isInvalid("actions[0].args");
      operator
          .tryPropose(
              operator.action(
                  "deploy.run", "env:a", Json.object().put("env", "dev").put("xa" + end, 1)))
          .isInvalid("actions[0].args");
    }
    ObjectNode prod = Json.object().put("env", "prod");
    assertThat(
            verdict(operator, operator.action("deploy.run", "env:a", prod)).path("rule").asText())
        .isEqualTo("no-prod");
    assertThat(given.upstream().calls()).isEmpty();
    Plan dev =
        operator.propose(operator.action("deploy.run", "env:a", Json.object().put("env", "dev")));
    assertThat(dev.receipt(0).path("outcome").asText()).isEqualTo("applied");
  }

  @Test
  void withoutAMatchingGuardrailAReadIsAllowed(Given given) {
    Operator operator = given.operator();
    JsonNode verdict =
        verdict(
            operator, operator.action(Given.READ, "charge:a", Json.object().put("charge", "a")));
    assertThat(verdict.path("decision").asText()).isEqualTo("ALLOW");
    assertThat(verdict.path("rule").asText()).isEqualTo("builtin.read_only");
  }

  @Test
  void aMatchingBlockWinsAtAnyPriority(Given given) {
    Operator operator =
        given.operator(
            Given.allow(Given.REFUND).put("priority", 1),
            Given.block("pay.*.create").put("priority", 1_000));
    assertThat(verdict(operator, operator.refund("a")).path("rule").asText())
        .isEqualTo("block-pay-any-create");
  }

  @Test
  void withoutABlockTheLowestPriorityThenTheNameDecides(Given given) {
    Operator operator =
        given.operator(
            named("c-alert", Given.alert(Given.NOTE)).put("priority", 5),
            named("b-allow", Given.allow(Given.NOTE)).put("priority", 5),
            named("a-alert", Given.alert(Given.NOTE)).put("priority", 6));
    assertThat(verdict(operator, operator.note("n")).path("rule").asText()).isEqualTo("b-allow");
  }

  @Test
  void aDisabledGuardrailDoesNotCount(Given given) {
    Operator operator =
        given.operator(Given.allow(Given.NOTE), Given.block("desk.note.*").put("enabled", false));
    assertThat(decision(operator, operator.note("n"))).isEqualTo("ALLOW");
  }

  @Test
  void aStarStandsForExactlyOneSegment(Given given) {
    Operator operator = given.operator(Given.allow("desk.*"), Given.alert("pay.*.create"));
    assertThat(decision(operator, operator.note("n"))).isEqualTo("BLOCK");
    assertThat(decision(operator, operator.refund("a"))).isEqualTo("ALERT");
  }

  @Test
  void conditionsRestrictTheActionsAGuardrailMatches(Given given) {
    Operator operator =
        given.operator(
            when(
                Given.alert(Given.REFUND),
                """
                {"min_value":"5.00","max_value":50,"currency":"usd","entity_key":"charge:ok*",
                 "max_tier":2,"args":[{"path":"/memo","op":"prefix","value":"re"}]}
                """));
    assertThat(decision(operator, usd(operator.refund("ok1", "5"), "re: x"))).isEqualTo("ALERT");
    assertThat(decision(operator, usd(operator.refund("ok1", "50.00"), "re"))).isEqualTo("ALERT");
    assertThat(decision(operator, usd(operator.refund("ok1", "50.01"), "re"))).isEqualTo("BLOCK");
    assertThat(decision(operator, usd(operator.refund("ok1", "4.99"), "re"))).isEqualTo("BLOCK");
    assertThat(decision(operator, usd(operator.refund("no1", "5"), "re"))).isEqualTo("BLOCK");
    assertThat(decision(operator, usd(operator.refund("ok1", "5"), "x"))).isEqualTo("BLOCK");
  }

  private static ObjectNode usd(ObjectNode action, String memo) {
    ((ObjectNode) action.path("args")).put("currency", "usd").put("memo", memo);
    return action;
  }

  @Test
  void aConditionThatCannotBeEvaluatedFailsClosed(Given given) {
    String small = "{\"max_value\":50}";
    Operator allowing = given.operator(when(Given.allow(Given.REFUND), small));
    assertThat(decision(allowing, allowing.refund("without-value"))).isEqualTo("BLOCK");
    Operator holding =
        given.operator(
            named("a-any", Given.allow(Given.REFUND)).put("priority", 9),
            when(named("b-small", Given.alert(Given.REFUND)), small).put("priority", 1));
    assertThat(decision(holding, holding.refund("without-value"))).isEqualTo("ALERT");
    Operator blocking =
        given.operator(
            Given.allow(Given.REFUND),
            when(
                Given.block(Given.REFUND),
                "{\"args\":[{\"path\":\"/amount\",\"op\":\"gt\",\"value\":100}]}"));
    assertThat(decision(blocking, blocking.refund("without-amount"))).isEqualTo("BLOCK");
  }

  @Test
  void aGuardrailCanBeBoundToAConnector(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE).put("connector", given.connector()));
    assertThat(decision(operator, operator.note("n"))).isEqualTo("ALLOW");
    ObjectNode elsewhere = operator.note("n").put("connector", given.install(given.api(), null));
    assertThat(decision(operator, elsewhere)).isEqualTo("BLOCK");
  }

  @Test
  void tighteningBindsAnOpenPlanAndShowsInIt(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"), operator.note("n"));
    operator.guardrails(Given.block(Given.REFUND), Given.allow(Given.NOTE));
    JsonNode now = plan.now().json();
    assertThat(now.at("/actions/0/verdict/decision").asText()).isEqualTo("BLOCK");
    assertThat(now.at("/actions/0/verdict/rule").asText()).isEqualTo("block-pay-refund-create");
    assertThat(now.at("/actions/1/verdict/decision").asText()).isEqualTo("ALERT");
    JsonNode result = plan.approve();
    assertThat(result.at("/results/0/disposition").asText()).isEqualTo("BLOCK");
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("ALERT");
    assertThat(given.upstream().calls("/refunds")).isEmpty();
  }

  @Test
  void looseningNeverUnblocksAnOpenPlan(Given given) {
    Operator operator = given.operator(Given.alert(Given.NOTE));
    Plan plan = operator.propose(operator.note("n"), operator.refund("a"));
    operator.guardrails(Given.allow(Given.NOTE), Given.allow(Given.REFUND));
    assertThat(plan.now().json().at("/actions/1/verdict/decision").asText()).isEqualTo("BLOCK");
    JsonNode result = plan.approve();
    assertThat(result.at("/results/0/disposition").asText()).isEqualTo("ALERT");
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("BLOCK");
    assertThat(given.upstream().calls("/refunds")).isEmpty();
    // Proposed once more, the changed guardrails permit it.
    assertThat(operator.propose(operator.refund("a")).status()).isEqualTo("executed");
  }

  @Test
  void anUnheldActionThatHasBecomeAnAlertIsRefused(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Plan waiting = operator.proposeBehindALock(operator.note("charge:a"));
    assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
    operator.guardrails(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    gate.open();
    holding.result().is(200);
    waiting.await("executed");
    JsonNode action = waiting.action(0);
    assertThat(action.path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(action.path("error").asText()).isEqualTo("blocked by trust policy");
    JsonNode receipt = waiting.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("refused");
    assertThat(receipt.path("reason").asText()).isEqualTo("needs_approval");
    assertThat(given.upstream().calls("/notes")).isEmpty();
  }

  @Test
  void anApprovalCoversActionsThatHaveBecomeAlerts(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan plan = operator.propose(operator.refund("a"), operator.note("n"));
    operator.guardrails(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    JsonNode result = plan.approve();
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("ALERT");
    assertThat(result.at("/results/1/ok").asBoolean()).isTrue();
  }

  @Test
  void anExceededLimitTurnsAllowIntoAlertAndItsApprovalRuns(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.allow(Given.REFUND),
                "{\"per\":\"entity\",\"window_seconds\":3600,\"max_actions\":1}"));
    assertThat(operator.propose(operator.refund("a")).status()).isEqualTo("executed");
    Plan second = operator.propose(operator.refund("a"));
    assertThat(second.status()).isEqualTo("proposed");
    assertThat(second.json().at("/actions/0/verdict/decision").asText()).isEqualTo("ALERT");
    assertThat(second.json().at("/actions/0/verdict/rule").asText())
        .isEqualTo("allow-pay-refund-create");
    assertThat(operator.propose(operator.refund("b")).status()).isEqualTo("executed");
    JsonNode result = second.approve();
    assertThat(result.at("/results/0/disposition").asText()).isEqualTo("ALERT");
    assertThat(result.at("/results/0/ok").asBoolean()).isTrue();
  }

  @Test
  void anActionCountsAgainstTheLimitsOfThoseAfterItInThePlan(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.allow(Given.REFUND),
                "{\"per\":\"operator\",\"window_seconds\":3600,\"max_value\":\"15.00\"}"));
    Plan plan = operator.propose(operator.refund("a", "10"), operator.refund("b", "5.01"));
    assertThat(plan.json().at("/actions/0/verdict/decision").asText()).isEqualTo("ALLOW");
    assertThat(plan.json().at("/actions/1/verdict/decision").asText()).isEqualTo("ALERT");
  }

  @Test
  void aLimitExceededAtExecutionRefuses(Given given) {
    Operator operator =
        given.operator(
            Given.alert(Given.NOTE),
            limited(
                Given.allow(Given.REFUND),
                "{\"per\":\"operator\",\"window_seconds\":3600,\"max_actions\":1}"));
    Plan first = operator.propose(operator.note("n1"), operator.refund("a"));
    Plan second = operator.propose(operator.note("n2"), operator.refund("b"));
    assertThat(second.json().at("/actions/1/verdict/decision").asText()).isEqualTo("ALLOW");
    first.approve();
    JsonNode result = second.approve();
    assertThat(result.at("/results/0/ok").asBoolean()).isTrue();
    assertThat(result.at("/results/1/disposition").asText()).isEqualTo("BLOCK");
    assertThat(second.receipt(1).path("outcome").asText()).isEqualTo("refused");
    assertThat(second.receipt(1).path("reason").asText()).isEqualTo("limit_exceeded");
    assertThat(given.upstream().calls("/refunds")).hasSize(1);
  }

  private static String limit(String per, String bound) {
    return "{\"per\":\"%s\",\"window_seconds\":86400,%s}".formatted(per, bound);
  }

  private static JsonNode limit(JsonNode verdict) {
    return Shape.LIMIT_USE.of(verdict.path("limit"));
  }

  @Test
  void aLimitThatHoldsAnActionIsShownToTheApprover(Given given) {
    Operator operator =
        given.operator(limited(Given.allow(Given.REFUND), limit("entity", "\"max_actions\":1")));
    Plan ran = operator.propose(operator.refund("7", "1.00"));
    assertThat(ran.json().at("/actions/0/verdict/limit").isNull()).isTrue();
    assertThat(ran.receipt(0).path("verdict").has("limit"))
        .as("a receipt without a limit keeps its hash")
        .isFalse();
    Plan held = operator.propose(operator.refund("7", "2.00"));
    JsonNode limit = limit(Shape.VERDICT.of(held.json().at("/actions/0/verdict")));
    assertThat(limit.path("per").asText()).isEqualTo("entity");
    assertThat(limit.path("kind").asText()).isEqualTo("actions");
    assertThat(limit.path("key").asText()).isEqualTo("charge:7");
    assertThat(limit.path("window_seconds").asInt()).isEqualTo(86_400);
    assertThat(limit.path("used").intValue()).isEqualTo(1);
    assertThat(limit.path("of").intValue()).isEqualTo(1);
    assertThat(limit.path("countable").booleanValue()).isTrue();
    Instant since = Instant.parse(limit.path("since").asText());
    Instant applied = Instant.parse(ran.action(0).path("disposed_at").asText());
    assertThat(since).isBefore(applied).isAfter(applied.minusSeconds(86_400 / 60 + 60));
    assertThat(held.now().json().at("/actions/0/verdict/limit")).isEqualTo(limit);
    JsonNode approved = Shape.DISPOSED.of(held.approve().at("/results/0"));
    assertThat(approved.at("/verdict/limit")).isEqualTo(limit);
    assertThat(held.receipt(0).at("/verdict/limit")).isEqualTo(limit);
  }

  @Test
  void aLimitThatRefusesAnActionIsNamedWithItsUse(Given given) {
    Operator operator =
        given.operator(
            Given.alert(Given.NOTE),
            limited(Given.allow(Given.REFUND), limit("operator", "\"max_value\":\"10.00\"")));
    Plan first = operator.propose(operator.note("n1"), operator.refund("a", "9.50"));
    Plan second = operator.propose(operator.note("n2"), operator.refund("b", "0.75"));
    first.approve();
    JsonNode refused = second.approve().at("/results/1");
    assertThat(refused.path("disposition").asText()).isEqualTo("BLOCK");
    assertThat(refused.at("/verdict/rule").asText()).isEqualTo("allow-pay-refund-create");
    JsonNode limit = limit(refused.path("verdict"));
    assertThat(limit.path("kind").asText()).isEqualTo("value");
    assertThat(limit.path("key").isNull()).isTrue();
    assertThat(limit.path("used").decimalValue()).isEqualByComparingTo("9.50");
    assertThat(limit.path("of").decimalValue()).isEqualByComparingTo("10.00");
    assertThat(second.action(1).at("/verdict/limit")).isEqualTo(limit);
    assertThat(second.now().json().at("/actions/1/verdict/limit")).isEqualTo(limit);
    assertThat(second.receipt(1).at("/verdict/limit")).isEqualTo(limit);
  }

  @Test
  void aPlanRefusedWholeByALimitNamesTheLimit(Given given) {
    Operator operator =
        given.operator(limited(Given.alert(Given.REFUND), limit("tool", "\"max_actions\":1")));
    operator.propose(operator.refund("a")).approve();
    JsonNode verdict =
        operator
            .propose(operator.refund("b"))
            .tryApprove()
            .isError(422, "policy_blocked")
            .at("/details/verdicts/0");
    Shape.BLOCKED_VERDICT.of(verdict);
    assertThat(limit(verdict).path("key").asText()).isEqualTo(Given.REFUND);
    assertThat(limit(verdict).path("used").intValue()).isEqualTo(1);
  }

  @Test
  void aLimitReportsThatItCannotCountAClaimedValue(Given given) {
    Operator operator =
        given.operator(limited(Given.allow(Given.NOTE), limit("operator", "\"max_value\":100")));
    Plan held = operator.propose(operator.note("n").put("value", "1"));
    JsonNode limit = limit(held.json().at("/actions/0/verdict"));
    assertThat(limit.path("countable").booleanValue()).isFalse();
    assertThat(limit.path("used").decimalValue()).isEqualByComparingTo("0");
    assertThat(limit.path("since").isNull()).isTrue();
  }

  @Test
  void aLimitIsReleasedForAFailedActionAndKeptForAnUnknownOne(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.allow(Given.REFUND),
                "{\"per\":\"operator\",\"window_seconds\":3600,\"max_actions\":1}"));
    given.upstream().next("/refunds/fails", new Upstream.Behaviour.Fail(400));
    given.upstream().next("/refunds/lost", new Upstream.Behaviour.ActAndDrop());
    assertThat(operator.propose(operator.refund("fails")).status()).isEqualTo("executed");
    Plan lost = operator.propose(operator.refund("lost"));
    assertThat(lost.receipt(0).path("outcome").asText()).isEqualTo("unknown");
    assertThat(operator.propose(operator.refund("held")).status()).isEqualTo("proposed");
  }

  @Test
  void aTenantLimitIsSharedByTheGuardrailsOfItsName(Given given) {
    String name = Given.unique("shared");
    ObjectNode guardrail =
        limited(
            named(name, Given.allow(Given.REFUND)),
            "{\"per\":\"tenant\",\"window_seconds\":3600,\"max_actions\":1}");
    Operator one = given.operator(guardrail);
    Operator other = given.operator(guardrail);
    assertThat(one.propose(one.refund("a")).status()).isEqualTo("executed");
    assertThat(other.propose(other.refund("b")).status()).isEqualTo("proposed");
  }

  @Test
  void thirtyActionsAtOnceAgainstALimitOfTenApplyExactlyTen(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.alert(Given.REFUND),
                "{\"per\":\"operator\",\"window_seconds\":3600,\"max_value\":\"100.00\"}"));
    List<Plan> plans =
        Together.all(30, number -> operator.propose(operator.refund("c" + number, "10.00")));
    List<Answer> answers = Together.all(30, number -> plans.get(number).tryApprove());
    assertThat(answers).filteredOn(answer -> answer.status() == 200).hasSize(10);
    assertThat(answers)
        .filteredOn(answer -> answer.status() != 200)
        .allSatisfy(answer -> answer.isError(422, "policy_blocked"));
    assertThat(given.upstream().effects()).hasSize(10);
    String of = "&operator_id=" + operator.id() + "&limit=100";
    assertThat(given.api().get("/v1/receipts?outcome=applied" + of).data()).hasSize(10);
    assertThat(given.api().get("/v1/receipts?outcome=refused" + of).data())
        .hasSize(20)
        .allSatisfy(
            receipt -> assertThat(receipt.path("reason").asText()).isEqualTo("limit_exceeded"));
  }

  @Test
  void anApprovalCoversEveryLimitThatTheProposalExceeded(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.allow(Given.REFUND),
                "{\"per\":\"entity\",\"window_seconds\":3600,\"max_actions\":1},"
                    + "{\"per\":\"operator\",\"window_seconds\":3600,\"max_value\":\"5\"}"));
    operator.propose(operator.refund("a", "5")).await("executed");
    Plan second = operator.propose(operator.refund("a", "5"));
    assertThat(second.status()).isEqualTo("proposed");
    assertThat(second.approve().at("/results/0/ok").asBoolean()).isTrue();
  }

  @Test
  void anActionRefusedAtExecutionIsReportedAsABlock(Given given) {
    Operator operator =
        given.operator(
            limited(
                Given.alert(Given.REFUND),
                "{\"per\":\"operator\",\"window_seconds\":3600,\"max_actions\":1}"));
    Plan first = operator.propose(operator.refund("a"));
    Plan second = operator.propose(operator.refund("b"));
    first.approve();
    JsonNode error = second.tryApprove().isError(422, "policy_blocked");
    assertThat(error.at("/details/verdicts/0/decision").asText()).isEqualTo("BLOCK");
  }
}
