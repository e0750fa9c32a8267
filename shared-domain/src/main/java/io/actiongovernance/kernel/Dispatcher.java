package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import java.time.Duration;

/**
 * Hands on work: sends an action to the executor, one at a time for each entity, or schedules
 * another look at a plan. A message may be lost or come twice. Both are harmless, because stored
 * state decides and the sweeper handles overdue work. Thread-safe.
 */
public interface Dispatcher {
  /** Number of the first sending of an action. */
  long FIRST = 1;

  /**
   * Sends an action to the executor, behind the actions of the same line that were sent before.
   *
   * @param number number of this sending. Action and number form the deduplication key, which
   *     distinguishes a new sending from a repeat of an earlier one. A sending with any number but
   *     the {@link #FIRST} is in no line: it is not held up when the line is, and stored state
   *     keeps the order
   */
  void dispatch(Dispatch dispatch, long number);

  void dispatchLater(Dispatch dispatch, Duration pause);

  /** Schedules another look at an open or executing plan after a pause. */
  void wake(Partition partition, PlanId plan, Duration pause);
}
