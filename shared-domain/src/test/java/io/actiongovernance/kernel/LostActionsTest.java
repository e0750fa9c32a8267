package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.action.Action;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.kernel.LostClaims.Kind;
import io.actiongovernance.kernel.LostClaims.LostClaim;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.RestorableStore;
import io.actiongovernance.store.Table;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The table of state is as it was at an earlier second, and what was being called by actions that
 * it lost is made up for.
 */
final class LostActionsTest {
  private final RestorableStore store = new RestorableStore();
  private final LoopFixture fixture = new LoopFixture(store);

  /** An action that is proposed after the second, and whose process dies in its call. */
  private Action lost() {
    store.remember();
    fixture.messagesTakeTheirTime = true;
    Plan plan = fixture.propose(fixture.refundUnderAKey());
    dieWhileCalling();
    return fixture.action(plan, 0);
  }

  private void dieWhileCalling() {
    var answers = fixture.source;
    fixture.source =
        call -> {
          assertThat(call.permit().begins()).isTrue();
          throw new Died();
        };
    assertThatExceptionOfType(Died.class).isThrownBy(fixture::deliver);
    fixture.source = answers;
  }

  /** What no code catches. */
  private static final class Died extends Error {
    private static final long serialVersionUID = 1;
  }

  private List<LostClaim> end(Action action, boolean apply) {
    return fixture
        .loop
        .executing()
        .lostActions()
        .end(List.of(EffectClaims.key(action).partition()), apply);
  }

  private EffectClaim claim(Action action) {
    return new EffectClaims(store).find(action).orElseThrow();
  }

  @Test
  void aLostActionUnderCallEndsAsUnknownWithAReceipt() {
    Action action = lost();
    store.restore(Table.STATE);
    fixture.time.sleep(KernelTimes.LEASE);
    assertThat(end(action, false)).extracting(LostClaim::kind).containsExactly(Kind.UNOWNED);
    assertThat(claim(action).state()).isEqualTo(EffectClaim.State.INTENT);

    assertThat(end(action, true)).extracting(LostClaim::kind).containsExactly(Kind.UNOWNED);
    assertThat(claim(action).state()).isEqualTo(EffectClaim.State.UNKNOWN);
    assertThat(fixture.receipts())
        .singleElement()
        .satisfies(
            receipt -> {
              assertThat(receipt.kind()).isEqualTo(Receipt.Kind.ACTION);
              assertThat(receipt.outcome()).isEqualTo(ReceiptOutcome.UNKNOWN);
              assertThat(receipt.text("error")).isEqualTo(LostActions.WHY);
              assertThat(receipt.text("action_id")).isEqualTo(action.id().value());
              assertThat(receipt.text("plan_id")).isEqualTo(action.terms().planId().value());
              assertThat(receipt.text("operator_id")).isEqualTo(fixture.operator.id().value());
              assertThat(receipt.text("tool")).isEqualTo(action.terms().tool());
              assertThat(receipt.text("connector")).isEqualTo(action.terms().connector().value());
              assertThat(receipt.text("entity_key")).isEqualTo(action.terms().entityKey().value());
              assertThat(receipt.text("idempotency_key"))
                  .isEqualTo(action.terms().idempotencyKey());
            });
    assertThat(end(action, true)).isEmpty();
  }

  @Test
  void theKeyOfALostActionIsNotCalledAgain() {
    Action action = lost();
    store.restore(Table.STATE);
    fixture.time.sleep(KernelTimes.LEASE);
    end(action, true);
    fixture.messagesTakeTheirTime = false;
    Plan again = fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    assertThat(fixture.calls).hasSize(1);
    assertThat(Objects.requireNonNull(fixture.action(again, 0).disposal()).outcome())
        .isEqualTo(ReceiptOutcome.UNKNOWN);
  }

  @Test
  void theKeyOfALostPacedActionIsFree() {
    store.remember();
    var answers = fixture.source;
    fixture.source = call -> new CallResult.Paced(fixture.time.instant().plusSeconds(60));
    Action action = fixture.action(fixture.propose(fixture.refundUnderAKey()), 0);
    fixture.deliver();
    fixture.source = answers;
    assertThat(claim(action).state()).isEqualTo(EffectClaim.State.PACED);
    store.restore(Table.STATE);
    assertThat(end(action, true)).extracting(LostClaim::kind).containsExactly(Kind.UNCALLED);
    assertThat(fixture.receipts()).isEmpty();
    // After the lease the next plan takes the lock that it left.
    fixture.time.sleep(KernelTimes.LEASE);
    Plan again = fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    assertThat(Objects.requireNonNull(fixture.action(again, 0).disposal()).outcome())
        .isEqualTo(ReceiptOutcome.APPLIED);
    assertThat(end(action, true)).isEmpty();
  }

  @Test
  void aCallThatMayStillBeRunningIsLeftAlone() {
    Action action = lost();
    store.restore(Table.STATE);
    assertThat(end(action, true)).isEmpty();
  }

  @Test
  void anActionStillInTheStateTableIsLeftToTheKernel() {
    Action action = lost();
    fixture.time.sleep(KernelTimes.LEASE);
    assertThat(end(action, true)).isEmpty();
    fixture.time.sleep(KernelTimes.LEASE);
    fixture.sweep();
    fixture.deliver();
    assertThat(fixture.receipts())
        .filteredOn(receipt -> receipt.kind() == Receipt.Kind.ACTION)
        .hasSize(1);
  }
}
