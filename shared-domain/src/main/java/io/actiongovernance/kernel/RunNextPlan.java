package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.id.EntityKey;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the next waiting plan on an entity that has become free. Thread-safe. */
public final class RunNextPlan {
  private static final Logger LOG = LoggerFactory.getLogger(RunNextPlan.class);

  private final EntityLocks locks;
  private final RunPlan runPlan;
  private final Dispatcher dispatcher;

  public RunNextPlan(EntityLocks locks, RunPlan runPlan, Dispatcher dispatcher) {
    this.locks = locks;
    this.runPlan = runPlan;
    this.dispatcher = dispatcher;
  }

  /**
   * Runs the oldest plan that waits for the entity, whose lock was released. A failure of that plan
   * must not affect its predecessor, so the plan is then woken, and runs in a separate invocation.
   */
  void run(Partition partition, EntityKey entityKey) {
    Optional<Waiter> next = locks.waiters().nextWaiter(partition, entityKey, null);
    try {
      next.ifPresent(waiter -> runPlan.resume(partition, waiter));
    } catch (RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("plan_id", next.orElseThrow().plan().value())
          .log("A waiting plan could not be run");
      dispatcher.wake(partition, next.orElseThrow().plan(), KernelTimes.PAUSE);
    }
  }

  /** Resumes work on an entity that has settled, for its holder or for the next plan in line. */
  void settled(Partition partition, EntityKey entityKey) {
    Optional<EntityLock> lock = locks.settled(partition, entityKey);
    if (lock.isEmpty()) {
      run(partition, entityKey);
    } else if (lock.get().ended()) {
      locks.lookAgain(partition, lock.get());
    } else {
      runPlan.resume(partition, lock.get().plan());
    }
    locks.forgetSettling(partition, entityKey);
  }
}
