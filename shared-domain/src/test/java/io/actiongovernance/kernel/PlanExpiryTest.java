package io.actiongovernance.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.actiongovernance.LoopFixture;
import io.actiongovernance.access.Partition;
import io.actiongovernance.halt.HaltScope;
import io.actiongovernance.halt.Target;
import io.actiongovernance.id.HaltId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.receipt.Receipt;
import io.actiongovernance.time.InMemoryTimers;
import io.actiongovernance.time.Timer;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The timers of plans (contract, sections 2 and 4). */
final class PlanExpiryTest {
  private final LoopFixture fixture = new LoopFixture();
  private final InMemoryTimers timers = fixture.timers;
  private final PlanExpiry expiry = fixture.loop.executing().planExpiry();

  /** A plan that waits for people, in the last quarter of an hour of its time. */
  private Plan held() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    passUntil(plan, Plan.TIMER_AHEAD.negated().plusMillis(1));
    fixture.sweep();
    return plan;
  }

  private void fire() {
    timers.fire(
        fixture.time.instant(),
        timer ->
            expiry.fired(
                Partition.parse(id(timer, PlanExpiry.PARTITION)),
                new PlanId(id(timer, PlanExpiry.PLAN))));
  }

  private static String id(Timer timer, String name) {
    return Objects.requireNonNull(timer.ids().get(name));
  }

  private void passUntil(Plan plan, Duration after) {
    fixture.time.pass(Duration.between(fixture.time.instant(), plan.expiresAt()).plus(after));
  }

  @Test
  void anExpiryIsRecordedWithItsReceiptsAtThePlansDeadline() {
    Plan plan = held();
    passUntil(plan, Duration.ofMillis(-1));
    fire();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
    passUntil(plan, Duration.ZERO);
    fire();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXPIRED);
    assertThat(fixture.again(plan).disposedAt()).isEqualTo(plan.expiresAt());
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("expired");
    assertThat(timers.running()).isEmpty();
  }

  @Test
  void theSweeperStartsTheTimerOfAPlanThatExpiresSoon() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    expiry.follow(plan.partition(), plan.id());
    passUntil(plan, Plan.TIMER_AHEAD.plusMillis(1).negated());
    assertThat(fixture.sweep().overdue()).isZero();
    assertThat(timers.running()).isEmpty();
    fixture.time.pass(Duration.ofMillis(1));
    assertThat(fixture.sweep().overdue()).isOne();
    assertThat(timers.running()).extracting(Timer::due).containsExactly(plan.expiresAt());
    // It is not looked at again before its time is over.
    passUntil(plan, Duration.ofMillis(-1));
    assertThat(fixture.sweep().overdue()).isZero();
  }

  @Test
  void aPlanThatExpiresSoonGetsItsTimerAtOnce() {
    Plan plan = fixture.propose(fixture.refund("1", 500));
    passUntil(plan, Plan.TIMER_AHEAD.negated());
    expiry.follow(plan.partition(), plan.id());
    expiry.follow(plan.partition(), plan.id());
    assertThat(timers.running()).extracting(Timer::due).containsExactly(plan.expiresAt());
  }

  @Test
  void aTimerThatFiresTwiceRecordsOnce() {
    Plan plan = held();
    passUntil(plan, Duration.ZERO);
    assertThat(expiry.fired(plan.partition(), plan.id())).isEmpty();
    assertThat(expiry.fired(plan.partition(), plan.id())).isEmpty();
    assertThat(fixture.outcomes(Receipt.Kind.ACTION)).containsExactly("expired");
  }

  @Test
  void theTimerOfADisposedPlanIsStopped() {
    Plan plan = held();
    assertThat(timers.running()).hasSize(1);
    fixture.approve(plan);
    expiry.stop(plan.partition(), plan.id());
    assertThat(timers.running()).isEmpty();
  }

  @Test
  void aPlanAlreadyDisposedGetsNoTimer() {
    Plan plan = fixture.propose(fixture.refund("1", 5));
    fixture.deliver();
    expiry.follow(plan.partition(), plan.id());
    expiry.stop(plan.partition(), plan.id());
    assertThat(timers.running()).isEmpty();
  }

  @Test
  void aTimerThatOutlivedItsPlanDoesNothing() {
    Plan plan = held();
    fixture.approve(plan);
    passUntil(plan, Duration.ZERO);
    fire();
    assertThat(timers.running()).isEmpty();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXECUTED);
  }

  @Test
  void aTimerFollowsAPlansExtendedDeadline() {
    Plan plan = held();
    HaltId halt = HaltId.next(fixture.connectors.ids);
    Target target = new Target(HaltScope.TENANT, null);
    fixture.loop.executing().halts().halt(fixture.caller, halt, target, "smoke");
    fixture.time.pass(Duration.ofHours(5));
    fixture.loop.executing().halts().lift(fixture.caller, halt, "key", "clear");
    passUntil(plan, Duration.ZERO);
    fire();
    Plan extended = fixture.again(plan);
    assertThat(extended.expiresAt()).isAfterOrEqualTo(plan.expiresAt().plus(Duration.ofHours(5)));
    assertThat(timers.running()).extracting(Timer::due).containsExactly(extended.expiresAt());
    passUntil(extended, Duration.ZERO);
    fire();
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.EXPIRED);
    assertThat(timers.running()).isEmpty();
  }

  @Test
  void anOverduePlanUnderAHaltIsCheckedOnlyNowAndThen() {
    Plan plan = held();
    passUntil(plan, Duration.ofSeconds(-3));
    Target target = new Target(HaltScope.TENANT, null);
    fixture
        .loop
        .executing()
        .halts()
        .halt(fixture.caller, HaltId.next(fixture.connectors.ids), target, "smoke");
    int looks = 0;
    for (int second = 0; second < 3600; second++) {
      fixture.time.pass(Duration.ofSeconds(1));
      boolean due = !timers.running().getFirst().due().isAfter(fixture.time.instant());
      looks += due ? 1 : 0;
      fire();
    }
    assertThat(looks).isBetween(60, 150);
    assertThat(fixture.again(plan).state()).isEqualTo(Plan.State.PROPOSED);
  }
}
