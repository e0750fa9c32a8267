package io.actiongovernance.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Role;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.Connector;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.ClaimPlan;
import io.actiongovernance.kernel.ResolveAction;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Assertion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GovernedCallsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration REPEAT = Duration.ofSeconds(30);

  private final LoopFixture given = new LoopFixture();

  private OfferedTool tool(String name) {
    OfferedTools.Named named = OfferedTools.of(given.operator, List.of(given.sandbox)).find(name);
    return ((OfferedTools.Named.One) named).tool();
  }

  private static ObjectNode refund(int amount) {
    return Json.object().put("order", "1").put("amount", Integer.toString(amount));
  }

  private GovernedCalls.Request request(
      Operator operator, String tool, ObjectNode args, @Nullable String key, String minted) {
    return new GovernedCalls.Request(
        begun(operator),
        List.of(given.sandbox),
        tool(tool),
        args,
        key,
        minted,
        false,
        PATIENCE,
        null);
  }

  private ClaimPlan.Basics begun(Operator operator) {
    return given.loop.proposing().governedCalls().begin(given.agent, operator.id()).orElseThrow();
  }

  private Outcome<GovernedCall> attempt(Caller by, ObjectNode args, @Nullable String key) {
    String minted = given.connectors.ids.next();
    return given
        .loop
        .proposing()
        .governedCalls()
        .call(by, request(given.operator, "sandbox_payment_refund", args, key, minted));
  }

  private GovernedCall call(ObjectNode args) {
    return Outcomes.done(attempt(given.agent, args, null));
  }

  private CallStanding tenantState(GovernedCall call) {
    return CallStanding.of(call.plan(), call.action(), given.time.instant());
  }

  @Test
  void aCallIsAPlanOfOneActionWhoseKeyNamesThePlan() {
    GovernedCall call = call(refund(5));
    assertThat(tenantState(call)).isInstanceOf(CallStanding.Applied.class);
    assertThat(call.earlier()).isFalse();
    assertThat(call.plan().terms().actionIds()).hasSize(1);
    assertThat(call.action().terms().idempotencyKey()).isEqualTo("mcp-" + call.plan().id());
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void anIdenticalCallSoonAfterGetsTheEarlierAnswer() {
    GovernedCall first = call(refund(5));
    given.time.sleep(REPEAT.minusSeconds(5));
    GovernedCall again = call(refund(5));
    assertThat(again.earlier()).isTrue();
    assertThat(again.plan()).isEqualTo(first.plan());
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void anIdenticalCallAfterTheRepeatTimeIsANewCall() {
    GovernedCall first = call(refund(5));
    given.time.sleep(REPEAT);
    GovernedCall other = call(refund(5));
    assertThat(other.earlier()).isFalse();
    assertThat(other.plan().id()).isNotEqualTo(first.plan().id());
    assertThat(given.calls).hasSize(2);
  }

  @Test
  void aRepeatedReadIsMadeAgain() {
    for (int at = 0; at < 2; at++) {
      GovernedCall read =
          Outcomes.done(
              given
                  .loop
                  .proposing()
                  .governedCalls()
                  .call(
                      given.agent,
                      request(
                          given.operator,
                          "sandbox_effects_count",
                          Json.object(),
                          null,
                          given.connectors.ids.next())));
      assertThat(read.earlier()).isFalse();
      assertThat(read.action().terms().entityKey().value()).isEqualTo("mcp:" + read.plan().id());
      assertThat(read.action().terms().facts().asserts(Assertion.ENTITY_KEY)).isTrue();
    }
    assertThat(given.calls).hasSize(2);
  }

  @Test
  void otherArgumentsAnotherPrincipalAndAnotherKeyAreOtherCalls() {
    GovernedCall first = call(refund(5));
    assertThat(call(refund(6)).plan().id()).isNotEqualTo(first.plan().id());
    assertThat(Outcomes.done(attempt(given.caller, refund(5), null)).plan().id())
        .isNotEqualTo(first.plan().id());
    assertThat(Outcomes.done(attempt(given.agent, refund(5), "mine")).plan().id())
        .isNotEqualTo(first.plan().id());
  }

  @Test
  void theOrderOfArgumentsDoesNotMatter() {
    GovernedCall first = call(refund(5));
    ObjectNode turned = Json.object().put("amount", "5").put("order", "1");
    assertThat(call(turned).plan()).isEqualTo(first.plan());
  }

  @Test
  void aRepeatedHeldCallIsOnePlan() {
    GovernedCall held = call(refund(500));
    assertThat(tenantState(held)).isInstanceOf(CallStanding.Held.class);
    given.time.sleep(Duration.ofHours(1));
    GovernedCall again = call(refund(500));
    assertThat(again.plan().id()).isEqualTo(held.plan().id());
    assertThat(again.earlier()).isTrue();
    Outcomes.done(given.approve(held.plan()));
    assertThat(tenantState(call(refund(500)))).isInstanceOf(CallStanding.Applied.class);
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void anUnknownOutcomeIsTheAnswerUntilItIsResolved() {
    given.source = _ -> new CallResult.Unknown("the reply was lost", true);
    GovernedCall unknown = call(refund(5));
    assertThat(tenantState(unknown)).isInstanceOf(CallStanding.Unknown.class);
    given.time.sleep(Duration.ofDays(40));
    GovernedCall again = call(refund(5));
    assertThat(again.earlier()).isTrue();
    assertThat(again.plan().id()).isEqualTo(unknown.plan().id());
    assertThat(given.calls).hasSize(1);
  }

  /** Nobody would resolve it, and reading again does no harm. */
  @Test
  void aReadOfUnknownOutcomeIsMadeAgain() {
    given.source = _ -> new CallResult.Unknown("the reply was lost", true);
    List<PlanId> plans = new ArrayList<>();
    for (int at = 0; at < 2; at++) {
      String minted = given.connectors.ids.next();
      GovernedCalls.Request request =
          request(given.operator, "sandbox_effects_count", Json.object(), null, minted);
      GovernedCall read =
          Outcomes.done(given.loop.proposing().governedCalls().call(given.agent, request));
      assertThat(read.earlier()).isFalse();
      plans.add(read.plan().id());
    }
    assertThat(plans).doesNotHaveDuplicates();
  }

  /** That Stripe may be asked again under its key helps nobody who would ask under another. */
  @Test
  void aStripeRefundOfUnknownOutcomeIsNeverRepeated() {
    Connector stripe =
        given.connectors.installed(
            "{'listing_id':'cn-stripe','name':'stripe',"
                + "'credentials':{'type':'bearer','token':'sk_1'}}");
    Operator desk =
        OperatorFixture.done(
            OperatorFixture.create(
                given.operators,
                given.caller,
                OperatorId.next(given.connectors.ids),
                "{'name':'desk','guardrails':"
                    + "[{'name':'refunds','decision':'ALLOW','tool':'stripe.refund.create'}]}"));
    OfferedTools.Named named = OfferedTools.of(desk, List.of(stripe)).find("stripe_refund_create");
    OfferedTool refund = ((OfferedTools.Named.One) named).tool();
    assertThat(refund.tool().retrySafe()).isTrue();
    given.source = _ -> new CallResult.Unknown("the reply was lost", false);
    Set<PlanId> plans = new HashSet<>();
    for (Duration later :
        List.of(Duration.ZERO, Duration.ZERO, REPEAT, Duration.ofHours(1), Duration.ofDays(2))) {
      given.time.sleep(later);
      GovernedCalls.Request request =
          new GovernedCalls.Request(
              begun(desk),
              List.of(stripe),
              refund,
              Json.object().put("charge", "ch_1"),
              null,
              given.connectors.ids.next(),
              false,
              PATIENCE,
              null);
      plans.add(
          Outcomes.done(given.loop.proposing().governedCalls().call(given.agent, request))
              .plan()
              .id());
    }
    assertThat(plans).hasSize(1);
    assertThat(given.calls.stream().map(ToolCall::idempotencyKey).distinct()).hasSize(1);
  }

  @Test
  void aCallResolvedAsNotAppliedMayBeMadeAgain() {
    given.source = _ -> new CallResult.Unknown("the reply was lost", true);
    GovernedCall unknown = call(refund(5));
    given.time.sleep(REPEAT);
    Outcomes.done(
        given
            .loop
            .executing()
            .resolveAction()
            .resolve(
                given.caller,
                new ResolveAction.Request(
                    unknown.action().id(), false, null, "looked", given.connectors.ids.next())));
    given.source = _ -> new CallResult.Applied(Json.object().put("id", "r1"), "r1");
    GovernedCall again = call(refund(5));
    assertThat(again.plan().id()).isNotEqualTo(unknown.plan().id());
    assertThat(tenantState(again)).isInstanceOf(CallStanding.Applied.class);
  }

  /** The process that named the plan died before making it. */
  @Test
  void aCallThatDiedBeforeItsPlanContinuesUnderTheSamePlanId() {
    PlanId named = named(refund(5), Duration.ZERO);
    GovernedCall call = call(refund(5));
    assertThat(call.plan().id()).isEqualTo(named);
    assertThat(tenantState(call)).isInstanceOf(CallStanding.Applied.class);
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void anAbandonedPlanIdIsReplaced() {
    PlanId named = named(refund(5), Duration.ofMinutes(15));
    GovernedCall call = call(refund(5));
    assertThat(call.plan().id()).isNotEqualTo(named);
    assertThat(call.plan().terms().proposedAt()).isEqualTo(call.plan().id().madeAt());
    assertThat(call(refund(5)).plan().id()).isEqualTo(call.plan().id());
  }

  /** Names the plan of a refund, as one that dies thereafter, so long ago. */
  private PlanId named(ObjectNode args, Duration ago) {
    PlanId named = PlanId.next(given.connectors.ids);
    RememberedCalls.Call call =
        new RememberedCalls.Call(
            given.agent.partition(),
            given.agent.principal(),
            given.operator.id(),
            given.sandbox.id(),
            "sandbox.payment.refund",
            args,
            null);
    assertThat(
            new RememberedCalls(given.store, given.time)
                .begin(call, named, given.time.instant().plus(Duration.ofDays(3))))
        .isEmpty();
    given.time.sleep(ago);
    return named;
  }

  @Test
  void twoConcurrentCallsAreOnePlanAndOneEffect() {
    List<GovernedCall> inside = new ArrayList<>();
    given.source =
        _ -> {
          // While the first is being made, its client has sent it again.
          inside.add(call(refund(5)));
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
    GovernedCall first = call(refund(5));
    assertThat(inside).hasSize(1);
    assertThat(inside.getFirst().plan().id()).isEqualTo(first.plan().id());
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void aRepeatedRequestReturnsItsOwnPlanEvenMuchLater() {
    String minted = given.connectors.ids.next();
    GovernedCalls.Request request =
        request(given.operator, "sandbox_payment_refund", refund(5), null, minted);
    GovernedCall first =
        Outcomes.done(given.loop.proposing().governedCalls().call(given.agent, request));
    given.time.sleep(Duration.ofDays(1));
    GovernedCalls.Request again =
        new GovernedCalls.Request(
            begun(given.operator),
            List.of(given.sandbox),
            tool("sandbox_payment_refund"),
            refund(5),
            null,
            minted,
            true,
            PATIENCE,
            null);
    GovernedCall second =
        Outcomes.done(given.loop.proposing().governedCalls().call(given.agent, again));
    assertThat(second.plan()).isEqualTo(first.plan());
    assertThat(given.calls).hasSize(1);
  }

  @Test
  void argumentsThatDoNotFitMakeNoPlanAndOneReceipt() {
    Refusal refusal = Outcomes.refusal(attempt(given.agent, Json.object(), null));
    assertThat(refusal.path()).isEqualTo("actions[0].args");
    assertThat(given.receipts()).hasSize(1);
    assertThat(given.calls).isEmpty();
  }

  @Test
  void aCallerCannotUseADerivedIdempotencyKey() {
    Refusal refusal = Outcomes.refusal(attempt(given.agent, refund(5), "mcp-pl_1"));
    assertThat(refusal.path()).isEqualTo("actions[0].idempotency_key");
  }

  @Test
  void anInactiveOperatorTakesNoCalls() {
    OperatorFixture.done(
        given.operators.pause(given.caller, given.operator.id(), given.connectors.ids.next()));
    Operator paused = given.operators.find(given.caller, given.operator.id()).orElseThrow();
    Outcome<GovernedCall> outcome =
        given
            .loop
            .proposing()
            .governedCalls()
            .call(
                given.agent,
                request(
                    paused,
                    "sandbox_payment_refund",
                    refund(5),
                    null,
                    given.connectors.ids.next()));
    assertThat(Outcomes.refusal(outcome)).isInstanceOf(Refusal.Conflict.class);
    assertThat(given.receipts()).isEmpty();
  }

  @Test
  void onlyItsProposerAndAnAdminFindAPlan() {
    Plan plan = call(refund(500)).plan();
    GovernedCalls calls = given.loop.proposing().governedCalls();
    assertThat(calls.find(given.agent, given.operator.id(), plan.id())).isPresent();
    assertThat(calls.find(given.caller, given.operator.id(), plan.id())).isPresent();
    assertThat(calls.find(without(given.caller), given.operator.id(), plan.id())).isEmpty();
    Operator other = given.operator("other-desk", "");
    assertThat(calls.find(given.agent, other.id(), plan.id())).isEmpty();
  }

  /** The same key without a scope of its own. */
  private static Caller without(Caller caller) {
    return new Caller(
        caller.requestId(),
        caller.partition(),
        null,
        caller.credential(),
        Role.AGENT.scopes(),
        null,
        Set.of());
  }

  @Test
  void aCallIsRememberedFor120DaysPastItsPlansLife() {
    call(refund(5));
    RememberedCalls.Call row =
        new RememberedCalls.Call(
            given.agent.partition(),
            given.agent.principal(),
            given.operator.id(),
            given.sandbox.id(),
            "sandbox.payment.refund",
            refund(5),
            null);
    RememberedCalls remembered = new RememberedCalls(given.store, given.time);
    given.time.sleep(Duration.ofSeconds(given.operator.planTtlSeconds()).plusDays(119));
    assertThat(remembered.begin(row, PlanId.next(given.connectors.ids), given.time.instant()))
        .isPresent();
    given.time.sleep(Duration.ofDays(2));
    assertThat(remembered.begin(row, PlanId.next(given.connectors.ids), given.time.instant()))
        .isEmpty();
  }
}
