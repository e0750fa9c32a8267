package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import java.time.Duration;

/**
 * Hands on work: an action to the executor, one at a time per entity, or a plan to look at again. A
 * message may be lost or come twice. Both are harmless, because stored state decides and the
 * sweeper handles what is overdue. Thread-safe.
 */
public interface Dispatcher {
  /** Number of the first sending of an action. */
  long FIRST = 1;

  /**
   * Sends an action to the executor, behind those of the same line that were sent before.
   *
   * @param number of this sending: action and number form the deduplication key, which tells a
   *     sending from a repeat of an earlier one. Any number but the {@link #FIRST} stands in no
   *     line: what stops the line does not stop it, and stored state keeps the turns
   */
  void dispatch(Dispatch dispatch, long number);

  void dispatchLater(Dispatch dispatch, Duration pause);

  /** Has an open or executing plan looked at again after a pause. */
  void wake(Partition partition, PlanId plan, Duration pause);
}
