package io.actiongovernance.kernel;

import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.time.Instant;

/**
 * Times that keep a call from being made twice. A call's deadline is less than the executor's
 * timeout, and that is less than the lease. The lease is at most the time for which a received
 * message stays hidden.
 */
public final class KernelTimes {
  private KernelTimes() {}

  public static final Duration EXECUTOR_TIMEOUT = Duration.ofSeconds(25);

  /** Part of an executor's time kept for the disposal that follows a call. */
  public static final Duration DISPOSAL = Duration.ofSeconds(3);

  /** Longest duration of a call, including its retries. */
  public static final Duration CALL = EXECUTOR_TIMEOUT.minus(DISPOSAL);

  /**
   * Least time for a first try. An executor that has less left puts the action off before the first
   * byte, instead of cutting off a request that may take effect.
   */
  public static final Duration FIRST_TRY = Duration.ofSeconds(5);

  /** Time for which an intent stands for a call that may be under way. */
  public static final Duration LEASE = Duration.ofSeconds(27);

  /** Time for which an approval that other writes overtake is retried. */
  static final Duration OVERTAKEN = Duration.ofSeconds(10);

  /** Time for which a received message stays hidden. */
  public static final Duration VISIBILITY = Duration.ofSeconds(30);

  /**
   * Time until the sweeper looks at what was claimed, and the shortest until it looks again. Most
   * calls are over by then; an interrupted one is then waited for until its lease ends.
   */
  public static final Duration LOOK = Duration.ofSeconds(10);

  /** Shortest time until the sweeper looks again at what should have ended by itself. */
  public static final Duration RECHECK = Duration.ofSeconds(30);

  /** Divisor of the time that a plan has waited, which gives the pause before the next look. */
  private static final int PATIENCE = 10;

  /**
   * Returns when the sweeper looks again at an open plan that does not wait for people. The longer
   * it has waited the later, but never after its expiry, because nothing else records that. Events
   * that end a wait wake the plan; this makes up for lost ones.
   */
  static Instant recheck(Plan plan, Instant now) {
    Duration pause = Duration.between(plan.terms().proposedAt(), now).dividedBy(PATIENCE);
    Instant recheck = now.plus(atMost(pause.compareTo(RECHECK) < 0 ? RECHECK : pause));
    Instant over = plan.expiresAt();
    return over.isAfter(now) && over.isBefore(recheck) ? over : recheck;
  }

  /**
   * Time after which an executing plan counts as stuck. A call, its retries, redeliveries and the
   * sweeper all take less, so a person should look.
   */
  public static final Duration STUCK = Duration.ofMinutes(15);

  /** Time after its claim at which an action that could not be attempted is recorded as failed. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(24);

  /** Longest time between two looks at something that should end by itself. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(5);

  /** Divisor of the time that something has executed, giving the pause before the next look. */
  private static final int SLOWING = 4;

  /** Returns when to look again at something that executes: the longer it has run, the later. */
  static Instant look(Instant since, Instant now) {
    Duration pause = Duration.between(since, now).dividedBy(SLOWING);
    return now.plus(atMost(pause.compareTo(LOOK) < 0 ? LOOK : pause));
  }

  private static Duration atMost(Duration pause) {
    return pause.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : pause;
  }

  /** Pause before another look at an undo that a halt stopped. */
  public static final Duration HALT_PAUSE = Duration.ofSeconds(5);

  /** Pause before another look at what waits for another action's effect or lock. */
  public static final Duration PAUSE = Duration.ofSeconds(1);
}
