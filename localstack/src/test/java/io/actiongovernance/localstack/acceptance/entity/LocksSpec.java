package io.actiongovernance.localstack.acceptance.entity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Seen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Single-flight per entity (specification, Single-flight lock; contract, section 2). */
@Acceptance
final class LocksSpec {
  private static void assertNoOverlap(List<Seen> inOrder) {
    for (int at = 1; at < inOrder.size(); at++) {
      assertThat(inOrder.get(at).began())
          .describedAs("call %s after call %s", at, at - 1)
          .isGreaterThanOrEqualTo(inOrder.get(at - 1).ended());
    }
  }

  @Test
  void plansOverOneEntityNeverOverlapAndAllRun(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    for (int number = 0; number < 10; number++) {
      given.upstream().next("/refunds", new Upstream.Behaviour.Delay(Duration.ofMillis(30)));
    }
    List<Plan> plans = Together.all(10, number -> operator.propose(operator.refund("a")));
    plans.forEach(plan -> plan.await("executed"));
    assertThat(given.upstream().effects()).hasSize(10);
    assertNoOverlap(given.upstream().effects());
  }

  @Test
  void insideAPlanTheActionsOnOneEntityRunInOrder(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    given.upstream().next("/refunds", new Upstream.Behaviour.Delay(Duration.ofMillis(100)));
    Plan plan =
        operator.propose(operator.refund("a"), operator.note("charge:a"), operator.refund("a"));
    plan.approve();
    assertThat(given.upstream().effects())
        .extracting(Seen::path)
        .containsExactly("/refunds/a", "/notes", "/refunds/a");
    assertNoOverlap(given.upstream().effects());
  }

  @Test
  void differentEntitiesDoNotWaitForEachOther(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND), Given.allow(Given.NOTE));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(() -> operator.tryPropose(operator.refund("a")));
    gate.awaitCall();
    assertThat(operator.propose(operator.note("charge:b")).status()).isEqualTo("executed");
    gate.open();
    holding.result().is(201);
  }

  @Test
  void anApprovalThatMeetsALockIsRefusedAndSucceedsUnchangedLater(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Plan plan = operator.propose(operator.note("charge:a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Answer locked = plan.tryApprove();
    JsonNode error = Shape.ERROR.of(locked.isError(409, "entity_locked"));
    assertThat(error.path("message").asText()).contains("charge:a", holder.id());
    JsonNode details = Shape.LOCKED_DETAILS.of(error.path("details"));
    assertThat(details.path("entity_key").asText()).isEqualTo("charge:a");
    assertThat(details.path("holding_plan_id").asText()).isEqualTo(holder.id());
    assertThat(Integer.parseInt(locked.header("Retry-After"))).isPositive();
    assertThat(plan.now().status()).isEqualTo("proposed");
    assertThat(given.api().get("/v1/receipts?plan_id=" + plan.id()).data()).isEmpty();
    gate.open();
    holding.result().is(200);
    Await.until(Duration.ofSeconds(10), plan::tryApprove, answer -> answer.status() == 200);
    assertThat(given.upstream().calls("/notes")).hasSize(1);
  }

  @Test
  void locksAreTakenTogetherOrNotAtAll(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Plan both = operator.propose(operator.note("charge:b"), operator.note("charge:a"));
    Plan other = operator.propose(operator.note("charge:b"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    both.tryApprove().isError(409, "entity_locked");
    assertThat(given.upstream().calls("/notes")).isEmpty();
    other.approve();
    gate.open();
    holding.result().is(200);
  }

  @Test
  void aSubsetTakesOnlyItsOwnLocks(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.alert(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Plan both = operator.propose(operator.note("charge:b"), operator.note("charge:a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    var body = Json.object();
    body.putArray("action_ids").add(both.actionId(0));
    given.api().post(both.path() + "/approve", body).is(200);
    gate.open();
    holding.result().is(200);
  }

  @Test
  void anUnheldPlanThatMeetsALockWaitsAndRunsByItself(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Plan waiting =
        operator.proposeBehindALock(operator.note("charge:b"), operator.note("charge:a"));
    assertThat(waiting.status()).isEqualTo("proposed");
    assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
    Lists.hold(
        given.api(),
        "/v1/plans?waiting_on=lock&operator_id=" + operator.id(),
        List.of(waiting.id()));
    // It holds nothing while it waits.
    assertThat(operator.propose(operator.note("charge:b")).status()).isEqualTo("executed");
    gate.open();
    holding.result().is(200);
    waiting.await("executed");
    assertThat(given.upstream().calls("/notes")).hasSize(3);
  }

  @Test
  void aProposalThatMeetsALockIsAnsweredWhenItHasRun(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Running<Answer> proposal = Together.start(() -> operator.tryPropose(operator.note("charge:a")));
    String waiting = "/v1/plans?waiting_on=lock&operator_id=" + operator.id();
    Await.until(
        Duration.ofSeconds(20), () -> given.api().get(waiting).ids(), one -> !one.isEmpty());
    gate.open();
    holding.result().is(200);
    assertThat(proposal.result().is(201).path("status").asText()).isEqualTo("executed");
  }

  @Test
  void waitersRunOldestFirst(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND), Given.allow(Given.NOTE));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    List<Plan> waiting = new ArrayList<>();
    for (int number = 0; number < 4; number++) {
      waiting.add(operator.proposeBehindALock(operator.note("charge:a")));
    }
    gate.open();
    holding.result().is(200);
    waiting.forEach(plan -> plan.await("executed"));
    assertThat(given.upstream().calls("/notes"))
        .extracting(Seen::idempotencyKey)
        .containsExactlyElementsOf(
            waiting.stream()
                .map(plan -> plan.json().at("/actions/0/idempotency_key").asText())
                .toList());
  }

  @Test
  void aRefusedActionTakesNoLock(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan holder = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    operator.tryPropose(operator.note("charge:a")).isError(422, "policy_blocked");
    gate.open();
    holding.result().is(200);
  }

  @Test
  void plansOverCrossedEntitiesDoNotBlockEachOther(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    List<Plan> plans =
        Together.all(
            8,
            number ->
                number % 2 == 0
                    ? operator.propose(operator.note("x"), operator.note("y"))
                    : operator.propose(operator.note("y"), operator.note("x")));
    plans.forEach(plan -> plan.await("executed"));
    assertThat(given.upstream().effects()).hasSize(16);
  }

  @Test
  void liveAndTestHaveSeparateLocks(Given given) {
    Operator live = given.operator(Given.allow(Given.REFUND));
    Api testApi = given.testApi();
    Operator test =
        given.operatorOf(
            testApi, given.install(testApi, null), Json.object(), Given.allow(Given.NOTE));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(() -> live.tryPropose(live.refund("a")));
    gate.awaitCall();
    assertThat(test.propose(test.note("charge:a")).status()).isEqualTo("executed");
    gate.open();
    holding.result().is(201);
  }
}
