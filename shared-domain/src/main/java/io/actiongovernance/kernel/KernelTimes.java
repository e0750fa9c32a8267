package io.actiongovernance.kernel;

import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.time.Instant;

/**
 * Times that prevent a call from being made twice. A call's deadline is less than the executor's
 * timeout, which is less than the lease. The lease is at most the time for which a received message
 * stays hidden.
 */
public final class KernelTimes {
  private KernelTimes() {}

  public static final Duration EXECUTOR_TIMEOUT = Duration.ofSeconds(25);

  /** Part of an executor's time that is kept for the disposal after a call. */
  public static final Duration DISPOSAL = Duration.ofSeconds(3);

  /** Maximum duration of a call, including its retries. */
  public static final Duration CALL = EXECUTOR_TIMEOUT.minus(DISPOSAL);

  /**
   * Minimum time for a first attempt. An executor that has less time left puts the action off
   * before the first byte, instead of cutting off a request that may take effect.
   */
  public static final Duration FIRST_TRY = Duration.ofSeconds(5);

  /** Time for which an intent stands for a call that may be in progress. */
  public static final Duration LEASE = Duration.ofSeconds(27);

  /** Time for which an approval is retried while other writes overtake it. */
  static final Duration OVERTAKEN = Duration.ofSeconds(10);

  /** Time for which a received message stays hidden. */
  public static final Duration VISIBILITY = Duration.ofSeconds(30);

  /**
   * Time after a claim until the sweeper looks at the plan, and the shortest time until it looks
   * again. Most calls have ended by then. The sweeper waits for an interrupted call until its lease
   * ends.
   */
  public static final Duration LOOK = Duration.ofSeconds(10);

  /** Shortest time until the sweeper looks again at work that should have ended without it. */
  public static final Duration RECHECK = Duration.ofSeconds(30);

  /**
   * Divisor for the pause before the next look: the time that a plan has waited, divided by this.
   */
  private static final int PATIENCE = 10;

  /**
   * Returns when the sweeper looks again at an open plan that does not wait for people. The longer
   * the plan has waited, the later the look, but never after the plan's expiry, because nothing
   * else records that. Events that end a wait wake the plan; these looks make up for lost events.
   */
  static Instant recheck(Plan plan, Instant now) {
    Duration pause = Duration.between(plan.terms().proposedAt(), now).dividedBy(PATIENCE);
    Instant recheck = now.plus(atMost(pause.compareTo(RECHECK) < 0 ? RECHECK : pause));
    Instant over = plan.expiresAt();
    return over.isAfter(now) && over.isBefore(recheck) ? over : recheck;
  }

  /**
   * Time after which an executing plan counts as stuck. A call, its retries, redeliveries and the
   * sweeper all take less, so a person should look at such a plan.
   */
  public static final Duration STUCK = Duration.ofMinutes(15);

  /** Time after its claim at which an action that could not be attempted is recorded as failed. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(24);

  /** Maximum time between two looks at work that should end without the sweeper. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(5);

  /**
   * Divisor for the pause before the next look: the time that something has executed, divided by
   * this.
   */
  private static final int SLOWING = 4;

  /**
   * Returns when to look again at something that executes. The longer it has run, the later the
   * look.
   */
  static Instant look(Instant since, Instant now) {
    Duration pause = Duration.between(since, now).dividedBy(SLOWING);
    return now.plus(atMost(pause.compareTo(LOOK) < 0 ? LOOK : pause));
  }

  private static Duration atMost(Duration pause) {
    return pause.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : pause;
  }

  /** Pause before another look at an undo that a halt stopped. */
  public static final Duration HALT_PAUSE = Duration.ofSeconds(5);

  /**
   * Pause before another look at an action or plan that waits for another action's effect or lock.
   */
  public static final Duration PAUSE = Duration.ofSeconds(1);
}
