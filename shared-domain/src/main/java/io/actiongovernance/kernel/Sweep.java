package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.export.ExportItems;
import io.actiongovernance.halt.HaltRegister;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Query;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Table;
import io.actiongovernance.time.Timestamps;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Redoes whatever step is overdue, over the sparse index of all that should have ended by itself.
 * The safety net, not the path. Thread-safe.
 */
public final class Sweep {
  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);
  private static final int MOST_PER_SHARD = 100;

  /** After which it looks at nothing more: its function may run for a minute. */
  private static final Duration LONGEST = Duration.ofSeconds(40);

  private final Store store;
  private final Plans plans;
  private final Actions actions;
  private final HaltRegister halts;
  private final EntityLocks locks;
  private final RunPlan runPlan;
  private final PlanExpiry planExpiry;
  private final ExecuteAction executeAction;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public Sweep(
      Store store,
      Plans plans,
      Actions actions,
      HaltRegister halts,
      EntityLocks locks,
      RunPlan runPlan,
      PlanExpiry planExpiry,
      ExecuteAction executeAction,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.actions = actions;
    this.halts = halts;
    this.locks = locks;
    this.runPlan = runPlan;
    this.planExpiry = planExpiry;
    this.executeAction = executeAction;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  /**
   * What a sweep found.
   *
   * @param overdue how many it looked at
   * @param stuck the plans among them that have been executing for longer than {@link
   *     KernelTimes#STUCK}, and that no halt stops
   */
  public record Found(int overdue, int stuck) {}

  /**
   * Looks at all that is due, oldest first, a bounded number per shard and for a bounded time; what
   * it does not come to is due still. Each minute it begins with another shard.
   */
  public Found sweep() {
    Instant began = clock.instant();
    int seen = 0;
    int stuck = 0;
    for (int shard = 0; shard < Actions.DUE_SHARDS; shard++) {
      long turn = (began.getEpochSecond() / 60 + shard) % Actions.DUE_SHARDS;
      for (Item item : due((int) turn)) {
        if (began.plus(LONGEST).isBefore(clock.instant())) {
          LOG.atWarn().addKeyValue("seen", seen).log("More is overdue than a sweep has time for");
          return new Found(seen, stuck);
        }
        stuck += lookAt(item) ? 1 : 0;
        seen++;
      }
    }
    return new Found(seen, stuck);
  }

  private List<Item> due(int shard) {
    Query due =
        Query.of(Table.STATE, "due_shard", "due#" + shard)
            .below(Timestamps.format(clock.instant()))
            .limit(MOST_PER_SHARD);
    return store.query(due).items();
  }

  /** Returns whether it is a plan that is stuck. */
  private boolean lookAt(Item item) {
    Partition partition = Partition.parse(item.text("partition"));
    String id = item.text("id");
    try {
      switch (item.text("kind")) {
        case "plan" -> {
          return plan(partition, new PlanId(id));
        }
        case "export" -> export(item);
        case EntityLocks.SETTLING -> settled(partition, id);
        default -> undo(partition, new ActionId(id));
      }
    } catch (RuntimeException e) {
      // One that fails must not keep the others from being looked at; it stays due.
      LOG.atError().setCause(e).addKeyValue("id", id).log("Could not move on what is overdue");
    }
    return false;
  }

  /** An entity has settled: whoever waits for it, its holder or the next in line, goes on. */
  private void settled(Partition partition, String entityKey) {
    Optional<EntityLock> holder = locks.settled(partition, entityKey);
    if (holder.isPresent()) {
      runPlan.resume(partition, holder.get().plan());
    } else {
      runPlan.runNext(partition, entityKey);
    }
    locks.forgetSettling(partition, entityKey);
  }

  private boolean plan(Partition partition, PlanId id) {
    Optional<Plan> found = plans.find(partition, id);
    if (found.isEmpty()) {
      return false;
    }
    Plan plan = found.get();
    if (plan.state() == Plan.State.EXECUTING) {
      settled(plan).forEach(action -> executeAction.execute(Dispatch.of(action)));
    }
    planExpiry.follow(plan);
    store.write(Plans.postpone(plan, next(plan)));
    runPlan.resume(partition, id);
    return stuck(plan);
  }

  private boolean stuck(Plan plan) {
    Plan.Claim claim = plan.claim();
    boolean stuck =
        plan.state() == Plan.State.EXECUTING
            && claim != null
            && claim.claimedAt().plus(KernelTimes.STUCK).isBefore(clock.instant())
            && !halted(plan);
    if (stuck) {
      LOG.atWarn()
          .addKeyValue("partition", plan.partition().key())
          .addKeyValue("plan_id", plan.id().value())
          .log("A plan has been executing for too long");
    }
    return stuck;
  }

  /** Whether a halt keeps an action of the plan from being executed. */
  private boolean halted(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected()).stream()
        .filter(action -> !action.settled())
        .map(Action::terms)
        .anyMatch(
            terms ->
                halts
                    .covering(plan.partition(), terms.operatorId(), Set.of(terms.connector()))
                    .isPresent());
  }

  /**
   * The disposed actions of an executing plan: executing one again settles what a crash may have
   * left of it.
   */
  private List<Action> settled(Plan plan) {
    return actions.findAll(plan.partition(), plan.selected()).stream()
        .filter(Action::settled)
        .toList();
  }

  private Instant next(Plan plan) {
    Instant now = clock.instant();
    if (plan.state() == Plan.State.EXECUTING) {
      return now.plus(KernelTimes.LOOK);
    }
    boolean waitsForPeople = plan.state() == Plan.State.PROPOSED && plan.terms().held();
    Instant look = plan.nextLook(now);
    return waitsForPeople && look.isAfter(now.plus(KernelTimes.RECHECK))
        ? look
        : KernelTimes.recheck(plan, now);
  }

  private void export(Item overdue) {
    Instant now = clock.instant();
    store.write(ExportItems.dispatchAgain(overdue, now, now.plus(KernelTimes.RECHECK)));
  }

  private void undo(Partition partition, ActionId id) {
    actions
        .find(partition, id)
        .ifPresent(
            undo -> {
              store.write(Actions.postpone(undo, clock.instant().plus(KernelTimes.LOOK)));
              dispatcher.dispatch(Dispatch.of(undo), clock.millis());
            });
  }
}
