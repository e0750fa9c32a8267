package io.actiongovernance.kernel;

import static io.actiongovernance.outcome.Outcomes.refusal;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.proposer.ProposedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Plans that wait for a lock go on as it is given back, without the sweeper: nobody looks for them
 * unless the lock says that there may be some (specification, Single-flight lock).
 */
class WaitersTest {
  private final LoopFixture fixture = new LoopFixture();
  private final List<Plan> waiting = new ArrayList<>();

  /** Has plans come to wait while the first call is under way. */
  private void meanwhile(List<ProposedAction> actions) {
    fixture.source =
        call -> {
          if (waiting.isEmpty()) {
            for (ProposedAction action : actions) {
              waiting.add(fixture.propose(action));
              fixture.time.pass(Duration.ofMillis(1));
            }
            assertThat(waiting).allMatch(plan -> plan.waitingOn() == WaitingOn.LOCK);
          }
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
  }

  @Test
  void plansThatWaitForAnOnlyActionRunAfterItsDisposal() {
    meanwhile(List.of(fixture.refund("1", 10), fixture.refund("1", 20), fixture.refund("1", 30)));
    fixture.propose(fixture.refund("1", 40));
    fixture.deliver();
    assertThat(waiting).hasSize(3);
    assertThat(waiting)
        .extracting(plan -> fixture.again(plan).state())
        .containsOnly(Plan.State.EXECUTED);
  }

  @Test
  void waitingPlansRunAfterTheLastActionOnTheirEntity() {
    meanwhile(List.of(fixture.refund("1", 10), fixture.refund("2", 20)));
    fixture.propose(fixture.refund("1", 40), fixture.refund("1", 50), fixture.refund("2", 60));
    fixture.deliver();
    assertThat(waiting).hasSize(2);
    assertThat(waiting)
        .extracting(plan -> fixture.again(plan).state())
        .containsOnly(Plan.State.EXECUTED);
  }

  @Test
  void aPlanThatWaitsForAnUndoRunsAfterItsDisposal() {
    Plan first = fixture.propose(fixture.refund("1", 40));
    fixture.deliver();
    meanwhile(List.of(fixture.refund("1", 10)));
    fixture.undo(fixture.action(first, 0));
    fixture.deliver();
    assertThat(waiting).hasSize(1);
    assertThat(fixture.again(waiting.getFirst()).state()).isEqualTo(Plan.State.EXECUTED);
  }

  /** Runs a plan during whose call another comes to wait, and an approval meets the lock. */
  private Plan lockedMeanwhile() {
    Plan first = fixture.propose(fixture.refund("1", 40));
    Plan held = fixture.propose(fixture.refund("1", 500));
    fixture.source =
        call -> {
          if (waiting.isEmpty()) {
            waiting.add(fixture.propose(fixture.refund("1", 10)));
            assertThat(refusal(fixture.approve(held))).isInstanceOf(Refusal.EntityLocked.class);
          }
          return new CallResult.Applied(Json.object().put("id", "r1"), "r1");
        };
    fixture.loop.executing().executeAction().execute(Dispatch.of(fixture.action(first, 0)));
    assertThat(fixture.again(first).state()).isEqualTo(Plan.State.EXECUTED);
    return held;
  }

  private List<Integer> amounts() {
    return fixture.calls.stream().map(call -> call.args().path("amount").asInt()).toList();
  }

  @Test
  void anApproverWhoMetTheLockGetsItWhenTheyReturn() {
    Plan held = lockedMeanwhile();
    fixture.time.pass(Duration.ofSeconds(1));
    waiting.add(fixture.propose(fixture.refund("1", 20)));
    assertThat(waiting)
        .extracting(plan -> fixture.again(plan).waitingOn())
        .containsOnly(WaitingOn.LOCK);
    assertThat(Outcomes.done(fixture.approve(held)).actions()).allMatch(Action::applied);
    fixture.deliver();
    assertThat(amounts()).containsExactly(40, 500, 10, 20);
  }

  /** Otherwise plans holding one lock while the other is free could block the approval by turns. */
  @Test
  void anApprovalThatMeetsOneLockKeepsAllThatItNeeds() {
    Plan first = fixture.propose(fixture.refund("1", 40));
    Plan held = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 500));
    assertThat(refusal(fixture.approve(held))).isInstanceOf(Refusal.EntityLocked.class);
    Plan other = fixture.propose(fixture.refund("2", 10));
    assertThat(fixture.again(other).waitingOn()).isEqualTo(WaitingOn.LOCK);
    fixture.loop.executing().executeAction().execute(Dispatch.of(fixture.action(first, 0)));
    fixture.time.pass(Duration.ofSeconds(1));
    assertThat(Outcomes.done(fixture.approve(held)).actions()).allMatch(Action::applied);
    fixture.deliver();
    assertThat(amounts()).containsExactly(40, 500, 500, 10);
  }

  @Test
  void aFreeLockKeptForAnApprovalIsReleasedInTime() {
    fixture.propose(fixture.refund("1", 40));
    Plan held = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 500));
    assertThat(refusal(fixture.approve(held))).isInstanceOf(Refusal.EntityLocked.class);
    Plan other = fixture.propose(fixture.refund("2", 10));
    fixture.deliver();
    assertThat(fixture.again(other).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void aLockIsKeptForTheToldWaitPlusFiveSecondsAtMost() {
    lockedMeanwhile();
    Instant then = fixture.time.instant();
    fixture.deliver();
    assertThat(amounts()).containsExactly(40, 10);
    assertThat(fixture.time.instant()).isEqualTo(then.plusSeconds(6));
  }
}
