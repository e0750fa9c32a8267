package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.time.Timer;
import io.actiongovernance.time.TimerKind;
import io.actiongovernance.time.Timers;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/**
 * The timers of plans that wait for people, for the last {@link Plan#TIMER_AHEAD} of their time: a
 * timer costs more than much else that is done for a plan, and most are decided before. What waits
 * for something else the sweeper looks at again and again, and records it if it expires. A plan is
 * expired from its instant on, for every reader, whether or not its timer has fired: the timer only
 * has it recorded (contract, section 2). Thread-safe.
 *
 * <p>Nothing here trusts its caller to know what became of the plan: it looks. So all of it may be
 * called twice, late, or in the wrong order; a timer that was started too late to be stopped finds
 * nothing to do.
 */
public final class PlanExpiry {
  /** The timer's identifier of tenant and mode. */
  public static final String PARTITION = "partition";

  /** The timer's identifier of the plan. */
  public static final String PLAN = "plan_id";

  /** The longest that a plan whose clock stands still is not looked at. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

  /** The shortest: a plan halted just before its end must not be looked at incessantly. */
  private static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);

  /** The part of the time it has stood still that a plan may be expired late after a lift. */
  private static final int LATE_PART = 10;

  private final Plans plans;
  private final RunPlan runPlan;
  private final Timers timers;
  private final InstantSource clock;

  public PlanExpiry(Plans plans, RunPlan runPlan, Timers timers, InstantSource clock) {
    this.plans = plans;
    this.runPlan = runPlan;
    this.timers = timers;
    this.clock = clock;
  }

  /** Sees to it that a plan that came to wait has a timer, if its time is soon over. */
  public void follow(Partition partition, PlanId id) {
    plans.find(partition, id).ifPresent(this::follow);
  }

  /** The same for one that was read just now. */
  void follow(Plan plan) {
    if (plan.state() == Plan.State.PROPOSED && plan.terms().held() && timed(plan)) {
      timers.start(timer(plan));
    }
  }

  /**
   * Stops the timer of a plan that can no longer expire. Past its time it has fired, or does by
   * itself.
   */
  public void stop(Partition partition, PlanId id) {
    plans
        .find(partition, id)
        .filter(plan -> plan.state() != Plan.State.PROPOSED)
        .filter(plan -> clock.instant().isBefore(plan.expiresAt()))
        .filter(this::timed)
        .ifPresent(plan -> timers.stop(TimerKind.PLAN_EXPIRY, id.value()));
  }

  private boolean timed(Plan plan) {
    return timed(plan.expiresAt(), clock.instant());
  }

  /** Whether a plan that waits for people, or did until now, has a timer. */
  public static boolean timed(Instant expiresAt, Instant now) {
    return !now.plus(Plan.TIMER_AHEAD).isBefore(expiresAt);
  }

  /**
   * Has it recorded that the plan's time is over, if it is.
   *
   * @return when to look again, for a plan whose time halts have extended
   */
  public Optional<Instant> fired(Partition partition, PlanId id) {
    Optional<Plan> found = plans.find(partition, id);
    if (found.isEmpty() || found.get().state() == Plan.State.EXECUTING) {
      return Optional.empty(); // A plan that was claimed in time never expires.
    }
    runPlan.resume(partition, id);
    return plans
        .find(partition, id)
        .filter(plan -> plan.state() == Plan.State.PROPOSED)
        .map(this::nextLook);
  }

  private Instant nextLook(Plan plan) {
    if (!plan.freeze().standing()) {
      return plan.expiresAt();
    }
    // Its end moves on with the clock: as much time is left as was when the halt came. The look
    // after a lift may be late by no more than a tenth of the time it stood still.
    Duration frozen = plan.freeze().frozen();
    Duration pause = atMost(frozen.dividedBy(LATE_PART), LONGEST_LOOK);
    Instant look = clock.instant().plus(atLeast(pause, SHORTEST_LOOK));
    return look.isAfter(plan.expiresAt()) ? look : plan.expiresAt();
  }

  private static Duration atMost(Duration duration, Duration most) {
    return duration.compareTo(most) > 0 ? most : duration;
  }

  private static Duration atLeast(Duration duration, Duration least) {
    return duration.compareTo(least) < 0 ? least : duration;
  }

  private static Timer timer(Plan plan) {
    return new Timer(
        TimerKind.PLAN_EXPIRY,
        plan.id().value(),
        plan.expiresAt(),
        Map.of(PARTITION, plan.partition().key(), PLAN, plan.id().value()));
  }
}
