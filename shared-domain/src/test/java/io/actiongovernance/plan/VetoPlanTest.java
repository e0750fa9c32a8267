package io.actiongovernance.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Caller;
import io.actiongovernance.access.Decider;
import io.actiongovernance.outcome.Outcomes;
import io.actiongovernance.outcome.Refusal;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Vetoing a plan, and taking one's own back (specification, Plans). */
final class VetoPlanTest {
  private final LoopFixture fixture = new LoopFixture();
  private final Plan plan = fixture.propose(fixture.refund("1", 500));

  private Plan veto(Caller caller) {
    return Outcomes.done(
        fixture.loop.executing().vetoPlan().veto(caller, plan.id(), "key", "Not this one.", null));
  }

  private Plan withdraw(String key) {
    return Outcomes.done(
        fixture.loop.executing().vetoPlan().withdraw(fixture.agent, plan.id(), key, "My mistake."));
  }

  private static Plan.Ending ending(Plan plan) {
    return Objects.requireNonNull(plan.ending());
  }

  private long told() {
    String entity = fixture.action(plan, 0).terms().entityKey().value();
    return new Vetoes(fixture.store).over(plan.partition(), fixture.operator.id(), entity).size();
  }

  @Test
  void proposersAreToldOfAVeto() {
    assertThat(ending(veto(fixture.caller)).withdrawn()).isFalse();
    assertThat(told()).isEqualTo(1);
  }

  @Test
  void proposersAreNotToldOfAWithdrawal() {
    Plan ended = withdraw("key");
    assertThat(ended.state()).isEqualTo(Plan.State.VETOED);
    assertThat(ending(ended).withdrawn()).isTrue();
    assertThat(ending(ended).vetoer())
        .extracting(Decider::principal)
        .isEqualTo(fixture.agent.principal());
    assertThat(told()).isZero();
  }

  @Test
  void aRepeatedWithdrawalReturnsItsFirstResult() {
    assertThat(withdraw("key")).isEqualTo(withdraw("key"));
    assertThat(
            Outcomes.refusal(
                fixture
                    .loop
                    .executing()
                    .vetoPlan()
                    .withdraw(fixture.agent, plan.id(), "other", "Again.")))
        .isInstanceOf(Refusal.Conflict.class);
  }

  @Test
  void nobodyWithdrawsAnotherProposersPlan() {
    assertThat(
            Outcomes.refusal(
                fixture
                    .loop
                    .executing()
                    .vetoPlan()
                    .withdraw(fixture.caller, plan.id(), "key", "No.")))
        .isInstanceOf(Refusal.BeyondKey.class);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
  }

  @Test
  void anExecutedPlanCannotBeWithdrawn() {
    fixture.approve(plan);
    assertThat(
            Outcomes.refusal(
                fixture
                    .loop
                    .executing()
                    .vetoPlan()
                    .withdraw(fixture.agent, plan.id(), "key", "Late.")))
        .isInstanceOf(Refusal.Conflict.class);
  }
}
