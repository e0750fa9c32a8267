package io.actiongovernance.proposer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanStatus;
import org.junit.jupiter.api.Test;

/** How many plans of an operator may wait for people at once. */
class HeldPlansTest {
  private static final int MOST = 500;

  private final LoopFixture fixture = new LoopFixture();

  private Plan hold(int at) {
    return fixture.propose(fixture.refund("order-" + at, 500));
  }

  @Test
  void atMostFiveHundredPlansOfAnOperatorWaitForPeople() {
    Plan first = hold(0);
    for (int at = 1; at < MOST; at++) {
      hold(at);
    }
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> hold(MOST))
        .withMessageContaining("500 plans waiting for approval");
    Outcomes.done(
        fixture.loop.executing().vetoPlan().veto(fixture.caller, first.id(), "veto", "No.", null));
    assertThat(hold(MOST + 1).status(fixture.time.instant())).isEqualTo(PlanStatus.PROPOSED);
  }
}
