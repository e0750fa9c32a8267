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
 * Timers of plans that wait for people. Each timer is started only in the last {@link
 * Plan#TIMER_AHEAD} before expiry. A timer costs more than most steps of a plan, and most plans are
 * decided earlier. Plans that wait for something else are left to the sweeper, which also records
 * their expiry. Every reader sees a plan as expired from that instant, whether or not its timer has
 * fired: the timer only records it (contract, section 2). Thread-safe.
 *
 * <p>Nothing here relies on what its caller knows about the plan's state; each method reads the
 * plan. So all methods may be called twice, late, or in the wrong order. If a timer is started too
 * late to be stopped, it finds nothing to do.
 */
public final class PlanExpiry {
  /** Timer attribute that names the tenant and mode. */
  public static final String PARTITION = "partition";

  /** Timer attribute that names the plan. */
  public static final String PLAN = "plan_id";

  /** Maximum time between looks at a plan whose clock is stopped. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(1);

  /**
   * Minimum time between looks. Without it, a plan halted near its end would be looked at
   * incessantly.
   */
  private static final Duration SHORTEST_LOOK = Duration.ofSeconds(1);

  /**
   * Divisor for the delay with which a plan may expire after a lift: the time that its clock was
   * stopped, divided by this.
   */
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

  /** Starts the timer of a plan that waits for people, if it expires soon. */
  public void follow(Partition partition, PlanId id) {
    plans.find(partition, id).ifPresent(this::follow);
  }

  /** Starts the timer of a plan that was just read, if it waits for people and expires soon. */
  void follow(Plan plan) {
    if (plan.state() == Plan.State.PROPOSED && plan.terms().held() && timed(plan)) {
      timers.start(timer(plan));
    }
  }

  /**
   * Stops the timer of a plan that can no longer expire. After the plan's time, the timer has fired
   * or will fire anyway.
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

  /** Returns whether a plan that waits for people, or did until now, has a timer. */
  public static boolean timed(Instant expiresAt, Instant now) {
    return !now.plus(Plan.TIMER_AHEAD).isBefore(expiresAt);
  }

  /**
   * Records the expiry of the plan, if it has expired.
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
    // The plan's end moves while its clock is stopped, and the time left stays as it was when the
    // halt began. The look after a lift may be late by at most a tenth of the time that the clock
    // was stopped.
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
