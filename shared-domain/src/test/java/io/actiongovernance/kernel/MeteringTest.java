package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.connector.CallResult;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Halts;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.json.Json;
import io.actiongovernance.kernel.Metering.Status;
import io.actiongovernance.outcome.Done;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.receipt.ReceiptOutcome;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The action allowance as the governed loop meets it (specification, Action allowance). */
class MeteringTest {
  private final LoopFixture fixture = new LoopFixture();

  private Metering.Month month() {
    return Outcomes.done(fixture.loop.executing().metering().month(fixture.caller));
  }

  private Metering.Month cap(long hardCap) {
    return Outcomes.done(
        fixture
            .loop
            .executing()
            .metering()
            .cap(
                fixture.caller,
                hardCap,
                month -> Json.object().put("hard_cap", month.terms().hardCap()),
                fixture.connectors.ids.next()));
  }

  private long applied() {
    return fixture.receipts().stream()
        .filter(receipt -> receipt.outcome() == ReceiptOutcome.APPLIED)
        .count();
  }

  @Test
  void theMonthIsTheCalendarMonthInUtc() {
    assertThat(month().start()).isEqualTo(Instant.parse("2026-09-01T00:00:00Z"));
    assertThat(month().end()).isEqualTo(Instant.parse("2026-10-01T00:00:00Z"));
  }

  @Test
  void theUseIsTheNumberOfAppliedReceiptsIncludingUndos() {
    Plan plan =
        fixture.propose(
            fixture.refund("1", 500), fixture.refund("2", 500), fixture.refund("3", 500));
    fixture.approve(plan, plan.terms().actionIds().subList(0, 2));
    fixture.undo(fixture.action(plan, 0));
    fixture.source = call -> new CallResult.Failed("no");
    fixture.undo(fixture.action(plan, 1));
    fixture.propose(fixture.refund("4", 5));
    fixture.deliver();
    assertThat(month().used()).isEqualTo(3).isEqualTo(applied());
  }

  @Test
  void anApprovalAtTheCapIsRefusedUntilTheCapIsRaised() {
    cap(1);
    Plan plan = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 500));
    assertThat(Outcomes.refusal(fixture.approve(plan))).isEqualTo(ClaimUndo.NO_ROOM);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    cap(2);
    assertThat(fixture.approve(plan)).isInstanceOf(Done.class);
    assertThat(month().status()).isEqualTo(Status.CAPPED);
  }

  @Test
  void aRefusedApprovalHoldsNothingOfTheAllowance() {
    cap(1);
    Plan large = fixture.propose(fixture.refund("1", 500), fixture.refund("2", 500));
    fixture.approve(large);
    Plan small = fixture.propose(fixture.refund("3", 5));
    fixture.deliver();
    assertThat(fixture.again(small).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void undoAtTheCapIsRefused() {
    cap(1);
    Plan plan = fixture.propose(fixture.refund("1", 500));
    fixture.approve(plan);
    assertThat(Outcomes.refusal(fixture.undo(fixture.action(plan, 0))))
        .isEqualTo(ClaimUndo.NO_ROOM);
    cap(2);
    assertThat(fixture.undo(fixture.action(plan, 0))).isInstanceOf(Done.class);
  }

  @Test
  void unheldPlansWaitAtTheCapAndRunOnceItIsRaised() {
    cap(0);
    List<Plan> plans =
        List.of(
            fixture.propose(fixture.refund("1", 5)),
            fixture.propose(fixture.refund("1", 6)),
            fixture.propose(fixture.refund("2", 7)));
    fixture.deliver();
    assertThat(plans)
        .extracting(plan -> fixture.again(plan).waitingOn())
        .containsOnly(WaitingOn.ALLOWANCE);
    cap(3);
    fixture.deliver();
    assertThat(plans)
        .extracting(plan -> fixture.again(plan).state())
        .containsOnly(Plan.State.EXECUTED);
    assertThat(month().used()).isEqualTo(3).isEqualTo(applied());
  }

  @Test
  void aCapRaisedUnderAHaltTakesEffectAfterTheLift() {
    cap(0);
    Plan plan = fixture.propose(fixture.refund("1", 5));
    Halts halts = fixture.loop.executing().halts();
    HaltId id = HaltId.next(fixture.connectors.ids);
    halts.halt(fixture.caller, id, new Target(HaltScope.TENANT, null), "smoke");
    cap(1);
    fixture.deliver();
    assertThat(fixture.again(plan).waitingOn()).isEqualTo(WaitingOn.EXECUTION);
    halts.lift(fixture.caller, id, "k", "over");
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void theStatusComparesTheUseWithTheAllowance() {
    assertThat(month().status()).isEqualTo(Status.WITHIN);
    fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    // The fixture's tenant has nothing included.
    assertThat(month().status()).isEqualTo(Status.OVER);
    assertThat(month().remaining()).isZero();
    assertThat(cap(1).status()).isEqualTo(Status.CAPPED);
  }
}
