package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Allowance;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.json.Json;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.RestorableStore;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The rehearsal of a disaster: the table of states is as it was at an earlier second, all others
 * (claims, receipts, limits) are as they are now, and every message comes again. Nothing is called
 * twice, and what was called ends as applied or unknown.
 */
final class RestoredTablesTest {
  private static final CallResult UNKNOWN = new CallResult.Unknown("the connection broke", true);

  private final RestorableStore store = new RestorableStore();
  private final LoopFixture fixture = new LoopFixture(store);

  private void deliverAgain(Plan plan) {
    for (int position = 0; position < plan.terms().actionIds().size(); position++) {
      fixture.loop.executing().executeAction().execute(Dispatch.of(fixture.action(plan, position)));
      fixture.loop.executing().executeAction().giveUp(Dispatch.of(fixture.action(plan, position)));
    }
    fixture.deliver();
    fixture.sweep();
    fixture.deliver();
  }

  private ReceiptOutcome outcome(Plan plan) {
    return Optional.ofNullable(fixture.action(plan, 0).disposal()).orElseThrow().outcome();
  }

  private Plan startedBeforeTheSecond(int amount) {
    fixture.messagesTakeTheirTime = true;
    Plan plan = fixture.propose(fixture.refund("1", amount));
    store.remember();
    fixture.messagesTakeTheirTime = false;
    return plan;
  }

  @Test
  void anActionAppliedSinceTheRestoreEndsAsAppliedUncalled() {
    Plan plan = startedBeforeTheSecond(5);
    fixture.deliver();
    assertThat(outcome(plan)).isEqualTo(ReceiptOutcome.APPLIED);
    store.restore(Table.STATE);
    assertThat(fixture.action(plan, 0).settled()).isFalse();
    deliverAgain(plan);
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(plan)).isEqualTo(ReceiptOutcome.APPLIED);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void theRepeatedReceiptSaysThatItIsRecordedAgain() {
    Plan plan = startedBeforeTheSecond(5);
    fixture.deliver();
    store.restore(Table.STATE);
    deliverAgain(plan);
    deliverAgain(plan);
    List<Receipt> receipts =
        fixture.receipts().stream()
            .filter(receipt -> receipt.kind() == Receipt.Kind.ACTION)
            .toList();
    assertThat(receipts)
        .extracting(receipt -> receipt.outcome().wire())
        .containsExactly("applied", "applied");
    assertThat(receipts.getFirst().text("reason")).isEqualTo("recorded_again");
    assertThat(receipts.getLast().text("reason")).isNull();
  }

  @Test
  void anActionUnknownSinceTheRestoreStaysUnknownUncalled() {
    fixture.source = call -> UNKNOWN;
    Plan plan = startedBeforeTheSecond(5);
    fixture.deliver();
    store.restore(Table.STATE);
    deliverAgain(plan);
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(plan)).isEqualTo(ReceiptOutcome.UNKNOWN);
    assertThat(fixture.action(plan, 0).unresolved()).isTrue();
  }

  @Test
  void anInterruptedCallIsRepeatedOnlyUnderItsOwnKey() {
    Plan plan = startedBeforeTheSecond(5);
    fixture.source =
        call -> {
          throw new IllegalStateException("The process died.");
        };
    try {
      fixture.deliver();
    } catch (IllegalStateException died) {
      assertThat(died).hasMessage("The process died.");
    }
    fixture.source = call -> new CallResult.Applied(Json.object().put("id", "r1"), "r1");
    store.restore(Table.STATE);
    fixture.time.sleep(Duration.ofHours(1));
    deliverAgain(plan);
    assertThat(outcome(plan)).isIn(ReceiptOutcome.APPLIED, ReceiptOutcome.UNKNOWN);
    // A second call under the same key is one that the source system takes for the first.
    assertThat(fixture.calls.stream().map(ToolCall::idempotencyKey).distinct()).hasSize(1);
    assertThat(fixture.calls).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void aPlanApprovedAgainAfterARestoreIsNotCalledAgain() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    store.remember();
    assertThat(fixture.approve(plan).toString()).contains("Done");
    assertThat(fixture.calls).hasSize(1);
    store.restore(Table.STATE);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    fixture.approve(plan);
    deliverAgain(plan);
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(plan)).isEqualTo(ReceiptOutcome.APPLIED);
  }

  @Test
  void anActionRecordedAgainCountsOnce() {
    capAt(5);
    Plan started = startedBeforeTheSecond(5);
    fixture.deliver();
    store.restore(Table.STATE);
    deliverAgain(started);
    assertThat(used()).isEqualTo(1);
    assertThat(taken()).isEqualTo(1);
  }

  @Test
  void aPlanClaimedAgainReturnsItsSecondReservation() {
    capAt(5);
    Plan plan = fixture.propose(fixture.refund("1", 500));
    store.remember();
    fixture.approve(plan);
    store.restore(Table.STATE);
    fixture.time.sleep(Duration.ofMinutes(1));
    fixture.approve(plan);
    deliverAgain(plan);
    assertThat(fixture.calls).hasSize(1);
    assertThat(used()).isEqualTo(1);
    assertThat(taken()).isEqualTo(1);
  }

  private void capAt(long actions) {
    Outcomes.done(
        fixture
            .loop
            .executing()
            .metering()
            .cap(
                fixture.caller,
                actions,
                month -> Json.object().put("hard_cap", month.terms().hardCap()),
                fixture.connectors.ids.next()));
  }

  private long used() {
    return allowance().used(fixture.caller.partition());
  }

  private long taken() {
    return allowance().taken(fixture.caller.partition());
  }

  private Allowance allowance() {
    return new Allowance(store, fixture.connectors.transactions, new Random(7), fixture.time);
  }

  @Test
  void aPlanProposedAgainAfterARestoreIsDeduplicated() {
    store.remember();
    Plan lost = fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    assertThat(fixture.calls).hasSize(1);
    store.restore(Table.STATE);
    Plan again = fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    deliverAgain(again);
    assertThat(again.id()).isNotEqualTo(lost.id());
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(again)).isEqualTo(ReceiptOutcome.DEDUPLICATED);
  }

  @Test
  void anActionThatWouldNowBeRefusedIsRecordedAsApplied() {
    Plan plan = startedBeforeTheSecond(5);
    fixture.deliver();
    store.restore(Table.STATE);
    fixture.time.sleep(Duration.ofDays(2));
    deliverAgain(plan);
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(plan)).isEqualTo(ReceiptOutcome.APPLIED);
  }

  @Test
  void aLockOfALostPlanIsFree() {
    store.remember();
    fixture.messagesTakeTheirTime = true;
    fixture.propose(fixture.refund("1", 5));
    store.restore(Table.STATE);
    fixture.time.sleep(Duration.ofMinutes(1));
    fixture.messagesTakeTheirTime = false;
    Plan next = fixture.propose(fixture.refund("1", 6));
    fixture.deliver();
    assertThat(fixture.again(next).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void aLockOfAnExecutingPlanIsKeptAtAnyAge() {
    fixture.messagesTakeTheirTime = true;
    fixture.propose(fixture.refund("1", 5));
    fixture.time.sleep(Duration.ofHours(1));
    Plan next = fixture.propose(fixture.refund("1", 6));
    assertThat(fixture.again(next).waitingOn()).isEqualTo(WaitingOn.LOCK);
  }

  @Test
  void anUndoIgnoresALeftoverLock() {
    Plan plan = fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    store.remember();
    fixture.messagesTakeTheirTime = true;
    fixture.propose(fixture.refund("1", 6));
    store.restore(Table.STATE);
    fixture.messagesTakeTheirTime = false;
    fixture.time.sleep(Duration.ofMinutes(1));
    assertThat(fixture.undo(fixture.action(plan, 0))).isInstanceOf(Done.class);
  }
}
