package io.actiongovernance.localstack.acceptance.action;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.actiongovernance.localstack.acceptance.fixture.Acceptance;
import io.actiongovernance.localstack.acceptance.fixture.Given;
import io.actiongovernance.localstack.acceptance.fixture.Operator;
import io.actiongovernance.localstack.acceptance.fixture.Operator.Plan;
import io.actiongovernance.localstack.acceptance.fixture.Shape;
import io.actiongovernance.localstack.acceptance.fixture.Upstream;
import io.actiongovernance.localstack.acceptance.fixture.Upstream.Behaviour;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Calls of which nobody can know whether they took effect (contract, section 2). */
@Acceptance
final class UnknownOutcomeSpec {
  private static void assertUnknown(Plan plan) {
    assertThat(plan.status()).isEqualTo("executed");
    JsonNode action = Shape.ACTION.of(plan.action(0), "error");
    assertThat(action.path("disposition").asText()).isEqualTo("ALLOW");
    assertThat(action.path("ok").asBoolean(true)).isFalse();
    assertThat(action.path("error").asText()).startsWith("outcome unknown: ");
    assertThat(action.path("undoable").asBoolean()).isFalse();
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("unknown");
    assertThat(receipt.path("billable").asBoolean()).isFalse();
    assertThat(receipt.path("ok").asBoolean(true)).isFalse();
    assertThat(receipt.path("error")).isEqualTo(action.path("error"));
  }

  /** Both the action and its receipt name whose call it is that nobody knows of. */
  private static void assertHeldBy(Plan plan, Plan holder) {
    for (JsonNode one : List.of(plan.action(0), plan.receipt(0))) {
      assertThat(one.path("holder_action_id").asText()).isEqualTo(holder.actionId(0));
      assertThat(one.path("holder_proposed_by")).isEqualTo(holder.json().path("proposed_by"));
    }
  }

  @Test
  void aLostReplyOfAToolThatIsNotRetrySafeIsUnknownAndNeverCalledAgain(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Behaviour.ActAndDrop());
    Plan plan = operator.propose(operator.refund("a"));
    assertUnknown(plan);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void anAnswerThatSaysNothingOfTheEffectIsUnknown(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    for (int status : new int[] {302, 408, 500, 502, 503, 504}) {
      given.upstream().next("/refunds/s" + status, new Behaviour.Fail(status));
      assertUnknown(operator.propose(operator.refund("s" + status)));
    }
    assertThat(given.upstream().calls()).hasSize(6);
  }

  @Test
  void a500AfterAnEffectIsUnknownAndItsKeyIsNotFree(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Behaviour.Reply(500, "{\"error\":\"after acting\"}"));
    ObjectNode action = operator.refund("a");
    Plan first = operator.propose(action);
    assertUnknown(first);
    assertThat(first.action(0).path("holder_action_id").isNull()).isTrue();
    Plan second = operator.propose(action);
    assertUnknown(second);
    assertHeldBy(second, first);
    assertThat(given.upstream().effects()).hasSize(1);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void aLostReplyOfARetrySafeToolIsCalledAgainUnderTheSameKey(Given given) {
    Operator operator = given.operator(Given.allow(Given.NOTE));
    given.upstream().next("/notes", new Behaviour.ActAndDrop(), new Behaviour.Fail(502));
    Plan plan = operator.propose(operator.note("a"));
    assertThat(plan.receipt(0).path("outcome").asText()).isEqualTo("applied");
    assertThat(given.upstream().effects()).hasSize(1);
    assertThat(given.upstream().calls())
        .extracting(Upstream.Seen::idempotencyKey)
        .hasSize(3)
        .containsOnly(plan.json().at("/actions/0/idempotency_key").asText());
  }

  @Test
  void aFailureReportedByTheSourceSystemIsNotUnknown(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    for (int status : new int[] {307, 404, 422}) {
      given.upstream().next("/refunds/s" + status, new Behaviour.Fail(status));
      JsonNode receipt = operator.propose(operator.refund("s" + status)).receipt(0);
      assertThat(receipt.path("outcome").asText()).isEqualTo("failed");
      assertThat(receipt.path("error").asText()).startsWith("upstream answered " + status);
    }
  }

  @Test
  void anUnreachableSourceSystemFailsWithItsErrorAfterTheRetryBudget(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    ObjectNode action = operator.refund("a");
    given.upstream().close();
    Plan plan = new Plan(given.api(), operator.tryPropose(action).is(201)).await("executed");
    JsonNode receipt = plan.receipt(0);
    assertThat(receipt.path("outcome").asText()).isEqualTo("failed");
    assertThat(receipt.path("error").asText()).contains("unreachable");
  }

  @Test
  void anotherActionUnderAnUnknownKeyIsUnknownAndNotCalled(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds", new Behaviour.ActAndDrop());
    ObjectNode action = operator.refund("a");
    Plan first = operator.propose(action);
    assertUnknown(first);
    Plan second = operator.propose(action);
    assertUnknown(second);
    assertThat(second.action(0).path("error").asText()).contains(first.actionId(0));
    assertHeldBy(second, first);
    assertThat(given.upstream().calls()).hasSize(1);
  }

  @Test
  void theRestOfThePlanContinues(Given given) {
    Operator operator = given.operator(Given.allow(Given.REFUND));
    given.upstream().next("/refunds/a", new Behaviour.ActAndDrop());
    Plan plan = operator.propose(operator.refund("a"), operator.refund("b"));
    assertUnknown(plan);
    assertThat(plan.receipt(1).path("outcome").asText()).isEqualTo("applied");
  }
}
