package io.actiongovernance.kernel;

import io.actiongovernance.plan.Plan;
import java.time.Duration;
import java.time.Instant;

/**
 * The times that keep one call from being made twice: a call's deadline is less than the executor's
 * time-out, which is less than the lease, which is at most the time a received message stays
 * hidden.
 */
public final class KernelTimes {
  private KernelTimes() {}

  /** How long the executor may run. */
  public static final Duration EXECUTOR_TIMEOUT = Duration.ofSeconds(25);

  /** How much of an executor's time is kept for the disposal that follows a call. */
  public static final Duration DISPOSAL = Duration.ofSeconds(3);

  /** How long a call, its retries included, may take. */
  public static final Duration CALL = EXECUTOR_TIMEOUT.minus(DISPOSAL);

  /**
   * The least time that a first try is given: an executor that has less left puts the action off
   * before the first byte, instead of cutting off a request that may take effect.
   */
  public static final Duration FIRST_TRY = Duration.ofSeconds(5);

  /** How long an intent stands for a call that may be under way. */
  public static final Duration LEASE = Duration.ofSeconds(27);

  /** How long an approval is tried again that others overtake. */
  static final Duration OVERTAKEN = Duration.ofSeconds(10);

  /** How long a received message stays hidden. */
  public static final Duration VISIBILITY = Duration.ofSeconds(30);

  /**
   * When the sweeper looks at what was claimed, and looks again: most calls are over by then, and
   * one that was interrupted is from then on waited for until the very end of its lease.
   */
  public static final Duration LOOK = Duration.ofSeconds(10);

  /** When the sweeper looks again, at the soonest, at what should have ended by itself. */
  public static final Duration RECHECK = Duration.ofSeconds(30);

  /** A part of the time that a plan has waited passes before it is looked at again. */
  private static final int PATIENCE = 10;

  /**
   * When it looks again at an open plan that waits for something else than people: the longer it
   * has waited the later, but not after the plan's time, since nothing else has its end recorded.
   * What a wait ends by wakes the plan; this makes up for what was lost.
   */
  static Instant recheck(Plan plan, Instant now) {
    Duration pause = Duration.between(plan.terms().proposedAt(), now).dividedBy(PATIENCE);
    Instant recheck = now.plus(atMost(pause.compareTo(RECHECK) < 0 ? RECHECK : pause));
    Instant over = plan.expiresAt();
    return over.isAfter(now) && over.isBefore(recheck) ? over : recheck;
  }

  /**
   * From when on a plan that executes is stuck: all that a call, its retries, redeliveries and the
   * sweeper may take is over by then, and somebody should look.
   */
  public static final Duration STUCK = Duration.ofMinutes(15);

  /** How long after its claim an action that could not be attempted is failed, as such. */
  public static final Duration LONGEST_WAIT = Duration.ofHours(24);

  /** The longest that passes between two looks at something that is to end by itself. */
  private static final Duration LONGEST_LOOK = Duration.ofMinutes(5);

  /** A part of the time that something has executed passes before it is looked at again. */
  private static final int SLOWING = 4;

  /** When something that executes is looked at again: the longer it does, the later. */
  static Instant look(Instant since, Instant now) {
    Duration pause = Duration.between(since, now).dividedBy(SLOWING);
    return now.plus(atMost(pause.compareTo(LOOK) < 0 ? LOOK : pause));
  }

  private static Duration atMost(Duration pause) {
    return pause.compareTo(LONGEST_LOOK) > 0 ? LONGEST_LOOK : pause;
  }

  /** When an undo that a halt stopped is looked at again. */
  public static final Duration HALT_PAUSE = Duration.ofSeconds(5);

  /** When something is looked at again that waits for another's effect or lock. */
  public static final Duration PAUSE = Duration.ofSeconds(1);
}
