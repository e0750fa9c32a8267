package io.actiongovernance.kernel;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.OperatorId;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.OperatorFixture;
import io.actiongovernance.outcome.Outcome;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import io.actiongovernance.outcome.Refused;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.policy.Decision;
import io.actiongovernance.policy.Verdict;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Contract for the policy lab, section 2: a window that closes over what was proposed within it.
 */
class WindowsTest {
  private static final Duration OPEN = Duration.ofMinutes(10);

  private final LoopFixture fixture = new LoopFixture();
  private final Instant opensAt = fixture.time.instant();
  private final Instant closesAt = opensAt.plus(OPEN);

  private Operator operator(String... guardrails) {
    String within =
        "'within':{'between':[{'from':'%s','until':'%s'}]}"
            .formatted(Timestamps.format(opensAt), Timestamps.format(closesAt));
    String body =
        "{'name':'shop-hours','plan_ttl_seconds':86400,'guardrails':[{"
            + String.join("},{", guardrails).replace("WITHIN", within)
            + "}]}";
    return OperatorFixture.done(
        OperatorFixture.create(
            fixture.operators, fixture.caller, OperatorId.next(fixture.connectors.ids), body));
  }

  private Operator open(String decision) {
    return operator(
        "'name':'open','decision':'%s','tool':'sandbox.payment.*','conditions':{WITHIN}"
            .formatted(decision));
  }

  /** An operator whose actions a BLOCK freezes for a minute, from the end of the window on. */
  private Operator frozen(String decision) {
    return operator(
        "'name':'run','decision':'%s','tool':'sandbox.payment.*'".formatted(decision),
        "'name':'freeze','decision':'BLOCK','tool':'*.*.*','conditions':{'within':{'between':"
            + "[{'from':'%s','until':'%s'}]}}"
                .formatted(
                    Timestamps.format(closesAt), Timestamps.format(closesAt.plusSeconds(60))));
  }

  private Verdict shown(Plan plan) {
    return fixture
        .loop
        .reading()
        .retrievePlan()
        .read(fixture.again(plan))
        .actions()
        .getFirst()
        .verdict();
  }

  private Receipt receipt() {
    return fixture.receipts().getFirst();
  }

  private static void assertOutsideWindow(Outcome<?> outcome, ActionId action, String rule) {
    assertThat(outcome).isEqualTo(Outcome.refused(new Refusal.OutsideWindow(action, rule)));
  }

  @Test
  void aPlanIsApprovedWithinItsWindowAndTheReceiptSaysWhenItWasJudged() {
    Plan plan = fixture.propose(open("ALERT"), fixture.refund("1", 500));
    fixture.time.pass(OPEN.minusSeconds(30));
    Outcomes.done(fixture.approve(plan));
    Receipt receipt = receipt();
    assertThat(receipt.outcome().wire()).isEqualTo("applied");
    Instant judged = Timestamps.read(requireNonNull(receipt.text("evaluated_at")));
    assertThat(judged).isBetween(closesAt.minusSeconds(30), closesAt.minusMillis(1));
  }

  @Test
  void aClaimOutsideTheWindowIsRefusedAndThePlanStaysOpen() {
    Plan plan = fixture.propose(open("ALERT"), fixture.refund("1", 500));
    fixture.time.pass(OPEN);
    assertOutsideWindow(fixture.approve(plan), fixture.action(plan, 0).id(), "open");
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    assertThat(fixture.receipts()).isEmpty();
    assertThat(shown(plan)).isEqualTo(new Verdict(Decision.BLOCK, 2, null).outsideWindow());
  }

  @Test
  void theActionsWithinTheirWindowAreApprovedWithoutTheOthers() {
    Operator both =
        operator(
            "'name':'one','decision':'ALERT','tool':'sandbox.payment.*','conditions':{'entity_key':'order:1',WITHIN}",
            "'name':'two','decision':'ALERT','tool':'sandbox.payment.*','conditions':{'entity_key':'order:2'}");
    Plan plan = fixture.propose(both, fixture.refund("1", 500), fixture.refund("2", 500));
    fixture.time.pass(OPEN);
    assertOutsideWindow(fixture.approve(plan), fixture.action(plan, 0).id(), "one");
    Outcomes.done(fixture.approve(plan, List.of(fixture.action(plan, 1).id())));
    assertThat(fixture.outcomes(Receipt.Kind.ACTION))
        .containsExactlyInAnyOrder("applied", "skipped");
  }

  @Test
  void aFreezeRefusesByItsName() {
    Operator frozen = frozen("ALERT");
    Plan plan = fixture.propose(frozen, fixture.refund("1", 500));
    fixture.time.pass(OPEN);
    assertOutsideWindow(fixture.approve(plan), fixture.action(plan, 0).id(), "freeze");
    assertThat(shown(plan)).isEqualTo(new Verdict(Decision.BLOCK, 2, "freeze").outsideWindow());
    fixture.time.pass(Duration.ofSeconds(60));
    assertThat(shown(plan)).isEqualTo(new Verdict(Decision.ALERT, 2, "run"));
    Outcomes.done(fixture.approve(plan));
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("applied");
  }

  @Test
  void theExecutorRefusesWhatItReachesAfterTheWindow() {
    Plan plan = fixture.propose(open("ALLOW"), fixture.refund("1", 5));
    fixture.time.pass(OPEN);
    fixture.deliver();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
    assertThat(fixture.calls).isEmpty();
    Receipt receipt = receipt();
    assertThat(receipt.outcome().wire()).isEqualTo("refused");
    assertThat(receipt.text("reason")).isEqualTo(Verdict.OUTSIDE_WINDOW);
    assertThat(receipt.text("evaluated_at")).isEqualTo(Timestamps.format(closesAt));
    assertThat(receipt.document().at("/verdict/decision").asText()).isEqualTo("BLOCK");
  }

  @Test
  void anActionProposedOutsideTheWindowIsBlockedAndNamesNoWindow() {
    Operator open = open("ALLOW");
    fixture.time.pass(OPEN);
    Plan plan = fixture.propose(open, fixture.refund("1", 5));
    assertThat(shown(plan)).isEqualTo(new Verdict(Decision.BLOCK, 2, null));
    fixture.deliver();
    assertThat(receipt().text("reason")).isNull();
    assertThat(receipt().text("evaluated_at"))
        .isEqualTo(Timestamps.format(plan.terms().proposedAt()));
  }

  @Test
  void receiptsOfOtherGuardrailsSayNoTime() {
    fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    assertThat(receipt().document().has("evaluated_at")).isFalse();
  }

  @Test
  void anUndoCountsItsOriginalsGuardrailAtAnyHour() {
    Plan plan = fixture.propose(open("ALLOW"), fixture.refund("1", 5));
    fixture.deliver();
    fixture.time.pass(OPEN);
    Outcomes.done(fixture.undo(fixture.action(plan, 0)));
    assertThat(fixture.outcomes(Receipt.Kind.UNDO)).containsExactly("applied");
  }

  @Test
  void aFreezeRefusesAnUndoAtItsInstant() {
    Operator frozen = frozen("ALLOW");
    Plan plan = fixture.propose(frozen, fixture.refund("1", 5));
    fixture.deliver();
    fixture.time.pass(OPEN);
    assertThat(fixture.undo(fixture.action(plan, 0))).isInstanceOf(Refused.class);
    fixture.time.pass(Duration.ofSeconds(60));
    Outcomes.done(fixture.undo(fixture.action(plan, 0)));
  }
}
