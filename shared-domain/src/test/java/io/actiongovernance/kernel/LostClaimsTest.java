package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.connector.ToolCall;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.kernel.LostClaims.Kind;
import io.actiongovernance.kernel.LostClaims.LostClaim;
import io.actiongovernance.page.Page;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.receipt.ReceiptOutcome;
import io.actiongovernance.store.RestorableStore;
import io.actiongovernance.store.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The table of claims is as it was at an earlier second, and what was lost of it is made up for
 * before anything runs again.
 */
final class LostClaimsTest {
  private final RestorableStore store = new RestorableStore();
  private final LoopFixture fixture = new LoopFixture(store);
  private final Instant second = fixture.time.instant();

  private List<LostClaim> makeUp(boolean apply) {
    List<LostClaim> found = new ArrayList<>();
    Instant now = fixture.time.instant();
    for (int shard = 0; shard < DueIndex.SHARDS; shard++) {
      int mine = shard;
      all(from -> fixture.loop.executing().lostClaims().open(mine, from, now, apply), found);
    }
    all(
        from ->
            fixture
                .loop
                .executing()
                .lostClaims()
                .recorded(fixture.caller.partition(), second, from, apply),
        found);
    return found;
  }

  private interface Step {
    Page<LostClaim> after(@Nullable String from);
  }

  private static void all(Step step, List<LostClaim> found) {
    String from = null;
    do {
      Page<LostClaim> page = step.after(from);
      found.addAll(page.items());
      from = page.next();
    } while (from != null);
  }

  private void restore() {
    store.restore(Table.EFFECTS);
    fixture.time.sleep(Duration.ofMinutes(1));
  }

  private void goOn(Plan plan) {
    fixture.loop.executing().executeAction().execute(Dispatch.of(fixture.action(plan, 0)));
    fixture.deliver();
    fixture.sweep();
    fixture.deliver();
  }

  private ReceiptOutcome outcome(Plan plan) {
    return Objects.requireNonNull(fixture.action(plan, 0).disposal()).outcome();
  }

  @Test
  void anAppliedReceiptRestoresItsClaim() {
    store.remember();
    fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    restore();
    assertThat(makeUp(true)).extracting(LostClaim::kind).containsExactly(Kind.APPLIED);
    Plan again = fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    assertThat(fixture.calls).hasSize(1);
    assertThat(outcome(again)).isEqualTo(ReceiptOutcome.DEDUPLICATED);
  }

  @Test
  void anUnknownReceiptRestoresItsClaim() {
    fixture.source = call -> new CallResult.Unknown("the connection broke", true);
    store.remember();
    fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    restore();
    assertThat(makeUp(true)).extracting(LostClaim::kind).containsExactly(Kind.UNKNOWN);
    assertThat(makeUp(true)).isEmpty();
  }

  @Test
  void anActionUnderCallEndsAsAnInterruptedCall() {
    fixture.messagesTakeTheirTime = true;
    store.remember();
    Plan plan = fixture.propose(fixture.refund("1", 5));
    var answers = fixture.source;
    fixture.source =
        call -> {
          throw new IllegalStateException("The process died.");
        };
    try {
      fixture.deliver();
    } catch (IllegalStateException died) {
      assertThat(died).hasMessage("The process died.");
    }
    fixture.source = answers;
    restore();
    assertThat(makeUp(true)).extracting(LostClaim::kind).containsExactly(Kind.BEGUN);
    goOn(plan);
    assertThat(outcome(plan)).isIn(ReceiptOutcome.UNKNOWN, ReceiptOutcome.APPLIED);
    assertThat(fixture.calls.stream().map(ToolCall::idempotencyKey).distinct()).hasSize(1);
  }

  @Test
  void openPlansExpireWithAReasonOnEachReceipt() {
    store.remember();
    Plan held = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 500));
    restore();
    assertThat(makeUp(true)).extracting(LostClaim::kind).containsExactly(Kind.OPEN);
    assertThat(fixture.again(held).state()).isEqualTo(Plan.State.EXPIRED);
    assertThat(fixture.receipts())
        .filteredOn(receipt -> receipt.kind() == Receipt.Kind.ACTION)
        .hasSize(2)
        .allSatisfy(receipt -> assertThat(receipt.text("reason")).isEqualTo(LostClaims.REASON));
    assertThat(fixture.calls).isEmpty();
  }

  @Test
  void aRehearsalReportsTheSameAndChangesNothing() {
    store.remember();
    Plan held = fixture.propose(fixture.refund("2", 500));
    fixture.propose(fixture.refundUnderAKey());
    fixture.deliver();
    restore();
    List<LostClaim> would = makeUp(false);
    assertThat(fixture.again(held).state()).isEqualTo(Plan.State.PROPOSED);
    assertThat(makeUp(true)).isEqualTo(would).hasSize(2);
    assertThat(makeUp(true)).isEmpty();
  }
}
