package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.due.DueIndex;
import io.actiongovernance.due.FairScheduler;
import io.actiongovernance.export.ExportItems;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Store;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats every overdue step. It finds them in the sparse index of everything that should have
 * ended without it. The sweep is the safety net, not the normal path. Thread-safe.
 */
public final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private final Store store;
  private final FairScheduler turns;
  private final SweepPlan sweepPlan;
  private final StuckPlans stuckPlans;
  private final SweepUndo sweepUndo;
  private final RunNextPlan runNextPlan;
  private final InstantSource clock;

  public Sweep(
      Store store,
      SweepPlan sweepPlan,
      StuckPlans stuckPlans,
      SweepUndo sweepUndo,
      RunNextPlan runNextPlan,
      InstantSource clock) {
    this.store = store;
    this.turns = new FairScheduler(store, clock);
    this.sweepPlan = sweepPlan;
    this.stuckPlans = stuckPlans;
    this.sweepUndo = sweepUndo;
    this.runNextPlan = runNextPlan;
    this.clock = clock;
  }

  /**
   * Result of a sweep.
   *
   * @param overdue number of items examined
   * @param stuck number of those that are plans and have been executing for longer than {@link
   *     KernelTimes#STUCK} without a halt that stops them
   */
  public record Result(int overdue, int stuck) {}

  /**
   * Processes the due items of a shard, with tenants taking turns. Items that it does not reach
   * stay due.
   */
  public Result sweep(int shard) {
    FairScheduler.Swept swept = turns.sweep(DueIndex.STEPS, shard, this::lookAt);
    return new Result(swept.seen(), swept.hits());
  }

  /** Advances one item; returns whether it is a stuck plan. */
  private boolean lookAt(Item item) {
    Partition partition = Partition.parse(item.text("partition"));
    String id = item.text("id");
    try {
      switch (item.text("kind")) {
        case "plan" -> {
          return plan(partition, new PlanId(id));
        }
        case "export" -> export(item);
        case EntityLocks.SETTLING -> runNextPlan.settled(partition, new EntityKey(id));
        default -> sweepUndo.moveOn(partition, new ActionId(id));
      }
    } catch (RuntimeException e) {
      // A failing item must not keep the others from being processed. It stays due.
      LOG.atError().setCause(e).addKeyValue("id", id).log("Could not move on what is overdue");
    }
    return false;
  }

  private boolean plan(Partition partition, PlanId id) {
    Optional<Plan> stuck = sweepPlan.moveOn(partition, id).filter(stuckPlans::isStuck);
    stuck.ifPresent(
        plan ->
            LOG.atWarn()
                .addKeyValue("partition", partition.key())
                .addKeyValue("plan_id", plan.id().value())
                .log("A plan has been executing for too long"));
    return stuck.isPresent();
  }

  private void export(Item overdue) {
    Instant now = clock.instant();
    store.write(ExportItems.dispatchAgain(overdue, now, now.plus(KernelTimes.RECHECK)));
  }
}
