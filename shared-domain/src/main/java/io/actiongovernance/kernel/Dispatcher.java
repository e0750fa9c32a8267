package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.PlanId;
import java.time.Duration;

/**
 * Hands work on: an action to the executor, one at a time per entity, or a plan to be looked at
 * again. A message may be lost or come twice; both are harmless, because what is stored decides and
 * the sweeper looks after what is overdue. Thread-safe.
 */
public interface Dispatcher {
  /** The number of the first sending of an action. */
  long FIRST = 1;

  /**
   * Sends an action to the executor, behind those of the same line that were sent before.
   *
   * @param number of this sending of the action: the two are the deduplication key, by which a
   *     sending is told from a repeat of an earlier one. Any but the {@link #FIRST} stands in no
   *     line: what stops that does not stop it, and what is stored keeps the turns
   */
  void dispatch(Dispatch dispatch, long number);

  /** The same after a pause. */
  void dispatchLater(Dispatch dispatch, Duration pause);

  /** Has an open plan, or an executing one, looked at again after a pause. */
  void wake(Partition partition, PlanId plan, Duration pause);
}
