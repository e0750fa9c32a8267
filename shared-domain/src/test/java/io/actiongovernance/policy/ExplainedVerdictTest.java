package io.actiongovernance.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.policy.ExplainedVerdict.Recorded;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Whether an evaluation reproduces the recorded verdict (contract for the policy lab, section 6).
 */
class ExplainedVerdictTest {
  private static final Limit ONE_A_DAY = new Limit(Per.ENTITY, 86_400, 1L, null);

  private static final Verdict ALLOW = new Verdict(Decision.ALLOW, 2, "g");
  private static final Verdict ALERT = new Verdict(Decision.ALERT, 2, "g");
  private static final Verdict BLOCK = new Verdict(Decision.BLOCK, 2, "g");

  private static Explanation by(String decision) {
    return Given.guardrails("'name':'g','tool':'pay.refund','decision':'" + decision + "'")
        .explain(Given.refund());
  }

  private static ExplainedVerdict explained(Recorded recorded, @Nullable Explanation explanation) {
    return ExplainedVerdict.of(3L, Given.AT, recorded, Optional.ofNullable(explanation));
  }

  private static boolean reproduced(Recorded recorded, String decision) {
    return explained(recorded, by(decision)).reproduced();
  }

  private static LimitUse use(LimitUse.Kind kind) {
    return new LimitUse(
        Per.ENTITY, kind, 86_400, "order:1042", BigDecimal.ONE, BigDecimal.ONE, null, true);
  }

  @Test
  void aProposalIsReproducedByTheSameDecisionOfTheSameGuardrail() {
    assertThat(reproduced(Recorded.atProposal(ALLOW, List.of()), "ALLOW")).isTrue();
    assertThat(reproduced(Recorded.atProposal(BLOCK, List.of()), "ALLOW")).isFalse();
    assertThat(reproduced(Recorded.atProposal(ALERT, List.of()), "ALLOW")).isFalse();
    Verdict ofAnother = new Verdict(Decision.ALLOW, 2, "h");
    assertThat(reproduced(Recorded.atProposal(ofAnother, List.of()), "ALLOW")).isFalse();
    Verdict ofNone = new Verdict(Decision.BLOCK, 2, null);
    assertThat(reproduced(Recorded.atProposal(ofNone, List.of()), "BLOCK")).isFalse();
  }

  @Test
  void aLimitThatHeldTheProposalIsLeftAside() {
    Recorded held =
        Recorded.atProposal(ALERT.limited(use(LimitUse.Kind.ACTIONS)), List.of(ONE_A_DAY));
    assertThat(reproduced(held, "ALLOW")).isTrue();
    assertThat(reproduced(held, "BLOCK")).isFalse();
    assertThat(explained(held, by("ALLOW")).recorded().limitedBy()).containsExactly(ONE_A_DAY);
    Recorded notHeld = Recorded.atProposal(ALLOW, List.of(ONE_A_DAY));
    assertThat(reproduced(notHeld, "ALLOW")).isFalse();
  }

  @Test
  void anExecutionIsReproducedByTheStricterOfBothVerdicts() {
    assertThat(reproduced(Recorded.atExecution(BLOCK, ALLOW), "BLOCK")).isTrue();
    assertThat(reproduced(Recorded.atExecution(BLOCK, ALLOW), "ALERT")).isFalse();
    assertThat(reproduced(Recorded.atExecution(BLOCK.toolChanged(), ALLOW), "ALLOW")).isFalse();
    assertThat(reproduced(Recorded.atExecution(BLOCK.outsideWindow(), ALLOW), "BLOCK")).isTrue();
    Verdict refused = ALERT.limited(use(LimitUse.Kind.ACTIONS));
    assertThat(reproduced(Recorded.atExecution(refused, ALERT), "ALLOW")).isTrue();
    assertThat(reproduced(Recorded.atExecution(refused, ALLOW), "ALLOW")).isFalse();
  }

  @Test
  void theLimitThatRefusedAnExecutionIsShownWithTheBoundThatDecided() {
    Verdict ofActions = ALLOW.limited(use(LimitUse.Kind.ACTIONS));
    assertThat(Recorded.atExecution(ofActions, ALLOW).limitedBy()).containsExactly(ONE_A_DAY);
    assertThat(reproduced(Recorded.atExecution(ofActions, ALLOW), "ALLOW")).isTrue();
    Verdict ofValue = ALLOW.limited(use(LimitUse.Kind.VALUE));
    assertThat(Recorded.atExecution(ofValue, ALLOW).limitedBy())
        .containsExactly(new Limit(Per.ENTITY, 86_400, null, BigDecimal.ONE));
    assertThat(Recorded.atExecution(BLOCK, ALLOW).limitedBy()).isEmpty();
  }

  @Test
  void aVersionThatCannotBeReadReproducesAndConsidersNothing() {
    ExplainedVerdict unread = explained(Recorded.atProposal(BLOCK, List.of()), null);
    assertThat(unread.reproduced()).isFalse();
    assertThat(unread.considered()).isEmpty();
    assertThat(unread.recorded().verdict()).isEqualTo(BLOCK);
  }
}
