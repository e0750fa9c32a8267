package io.actiongovernance.localstack.acceptance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.json.Json;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Answer;
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
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans that nobody decides on in time (specification, States; contract, section 2). */
@Acceptance
final class ExpirySpec {
  private static final ObjectNode BRIEF = Json.object().put("plan_ttl_seconds", 5);

  private static void awaitExpiry(Plan plan) {
    Instant expiresAt = Instant.parse(plan.json().path("expires_at").asText());
    Await.until(Duration.ofSeconds(30), Instant::now, now -> now.isAfter(expiresAt.plusMillis(50)));
  }

  @Test
  void anOverduePlanIsExpiredForEveryReaderAndNothingInItRuns(Given given) {
    Operator operator = given.operatorWith(BRIEF, Given.alert(Given.REFUND));
    Plan listed = operator.propose(operator.refund("a"));
    Plan approved = operator.propose(operator.refund("b"));
    Plan vetoed = operator.propose(operator.refund("c"));
    Plan read = operator.propose(operator.refund("d"), operator.refund("e"));
    awaitExpiry(read);
    String of = "/v1/plans?operator_id=" + operator.id();
    Lists.hold(given.api(), of + "&status=proposed", List.of());
    Lists.hold(given.api(), of + "&waiting_on=approval", List.of());
    Lists.hold(
        given.api(),
        of + "&status=expired",
        List.of(read.id(), vetoed.id(), approved.id(), listed.id()));
    approved.tryApprove().isError(409, "state_conflict");
    vetoed.tryVeto("Late.").isError(409, "state_conflict");
    JsonNode now = Shape.PLAN.of(read.now().json());
    assertThat(now.path("status").asText()).isEqualTo("expired");
    assertThat(now.path("disposed_at")).isEqualTo(now.path("expires_at"));
    assertThat(now.path("waiting_on").isNull()).isTrue();
    assertThat(given.upstream().calls()).isEmpty();
    for (int position = 0; position < 2; position++) {
      JsonNode receipt = read.receipt(position);
      assertThat(receipt.path("outcome").asText()).isEqualTo("expired");
      assertThat(receipt.path("request_id").isNull()).isTrue();
      assertThat(receipt.path("approver").isNull()).isTrue();
      assertThat(receipt.path("billable").asBoolean()).isFalse();
    }
    assertThat(given.api().get("/v1/actions?plan_id=" + read.id()).data()).isEmpty();
  }

  @Test
  void aPlanThatWaitsForALockExpiresTooAndNeverRuns(Given given) {
    Operator patient = given.operator(Given.alert(Given.REFUND));
    // Longer, so that a busy machine answers before it is over.
    ObjectNode longer = Json.object().put("plan_ttl_seconds", 12);
    Operator brief = given.operatorWith(longer, Given.allow(Given.NOTE));
    Plan holder = patient.propose(patient.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> holding = Together.start(holder::tryApprove);
    gate.awaitCall();
    Plan waiting = brief.proposeBehindALock(brief.note("charge:a"));
    assertThat(waiting.json().path("waiting_on").asText()).isEqualTo("lock");
    awaitExpiry(waiting);
    gate.open();
    holding.result().is(200);
    assertThat(waiting.now().status()).isEqualTo("expired");
    patient.guardrails(Given.allow(Given.NOTE));
    patient.propose(patient.note("charge:a")).await("executed");
    assertThat(given.upstream().calls("/notes")).hasSize(1);
    assertThat(waiting.receipt(0).path("outcome").asText()).isEqualTo("expired");
  }

  @Test
  void aPlanClaimedBeforeItsExpiryIsExecutedAfterIt(Given given) {
    // Longer, so that a busy machine claims it before it is over.
    ObjectNode longer = Json.object().put("plan_ttl_seconds", 12);
    Operator operator = given.operatorWith(longer, Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    Upstream.Gate gate = given.upstream().hold("/refunds");
    Running<Answer> approving = Together.start(plan::tryApprove);
    gate.awaitCall();
    awaitExpiry(plan);
    assertThat(plan.now().status()).isEqualTo("proposed");
    plan.tryApprove().isError(409, "entity_locked");
    gate.open();
    approving.result().is(200);
    assertThat(plan.now().status()).isEqualTo("executed");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
  }

  @Test
  void archivingAnOperatorExpiresItsOpenPlans(Given given) {
    Operator operator = given.operator(Given.alert(Given.REFUND));
    Plan plan = operator.propose(operator.refund("a"));
    given.api().delete("/v1/operators/" + operator.id()).is(200);
    plan.await("expired");
    plan.tryApprove().isError(409, "state_conflict");
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("expired");
    assertThat(given.upstream().calls()).isEmpty();
  }
}
