package io.actiongovernance.kernel;

import static io.actiongovernance.store.Condition.and;
import static io.actiongovernance.store.Condition.atMost;
import static io.actiongovernance.store.Condition.equal;
import static io.actiongovernance.store.Condition.lacks;
import static io.actiongovernance.store.Condition.or;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Condition;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Frees locks whose holder does not run. A lock is taken in the transaction that claims its plan,
 * and is released before the plan ends. If a lock's plan is missing or does not execute, the two
 * come from tables of different age, because one of them was restored. Nobody would release such a
 * lock. A lock is examined only if it is older than most plans take. Thread-safe.
 */
public final class LeftLocks {
  private static final Logger LOG = LoggerFactory.getLogger(LeftLocks.class);

  private final Store store;
  private final Plans plans;
  private final Actions actions;
  private final InstantSource clock;

  public LeftLocks(Store store, Plans plans, Actions actions, InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.actions = actions;
    this.clock = clock;
  }

  /** Frees a lock that was found taken, if its holder does not run; returns whether it did. */
  boolean free(Partition partition, EntityLock met) {
    Instant now = clock.instant();
    if (met.ended() || met.settling(now) || isYoung(met, now) || runs(partition, met)) {
      return false;
    }
    boolean freed =
        store
            .write(
                Write.delete(
                    EntityLocks.lockKey(partition, met.entityKey().value()), same(met, now)))
            .done();
    if (freed) {
      LOG.atWarn()
          .addKeyValue("plan_id", met.plan().value())
          .log("Freed a lock that was left by a plan that is not running");
    }
    return freed;
  }

  private static boolean isYoung(EntityLock met, Instant now) {
    return met.since() != null && now.isBefore(met.since().plus(KernelTimes.LOOK));
  }

  private boolean runs(Partition partition, EntityLock met) {
    return met.holder().equals(met.plan().value())
        ? plans
            .find(partition, met.plan())
            .filter(plan -> plan.state() == Plan.State.EXECUTING)
            .isPresent()
        : actions
            .find(partition, new ActionId(met.holder()))
            .filter(undo -> !undo.settled())
            .isPresent();
  }

  /**
   * Returns the condition that this is the same lock, not one that its holder has taken again
   * since.
   */
  private static Condition same(EntityLock met, Instant now) {
    Instant since = met.since();
    return and(
        equal("holder", met.holder()),
        since == null ? lacks(EntityLock.SINCE) : equal(EntityLock.SINCE, since.toEpochMilli()),
        lacks(EntityLock.ENDED),
        or(lacks(EntityLock.SETTLES_AT), atMost(EntityLock.SETTLES_AT, now.toEpochMilli())));
  }
}
