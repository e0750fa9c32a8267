package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.kernel.EntityLocks.EntityLock;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs plans that need nobody's approval, and moves on whatever has stopped: the one answer to
 * "look at this plan again". It can be asked at any time, any number of times. Thread-safe.
 */
public final class RunPlan {
  private static final Logger LOG = LoggerFactory.getLogger(RunPlan.class);

  private final Store store;
  private final Plans plans;
  private final Actions actions;
  private final Operators operators;
  private final ClaimPlan claimPlan;
  private final EntityLocks locks;
  private final FinishPlan finishPlan;
  private final Dispatcher dispatcher;
  private final ExpirePlan expirePlan;
  private final CloseActions closeActions;
  private final InstantSource clock;

  public RunPlan(
      Store store,
      Plans plans,
      Actions actions,
      Operators operators,
      ClaimPlan claimPlan,
      EntityLocks locks,
      FinishPlan finishPlan,
      Dispatcher dispatcher,
      ExpirePlan expirePlan,
      CloseActions closeActions,
      InstantSource clock) {
    this.store = store;
    this.plans = plans;
    this.actions = actions;
    this.operators = operators;
    this.claimPlan = claimPlan;
    this.locks = locks;
    this.finishPlan = finishPlan;
    this.dispatcher = dispatcher;
    this.expirePlan = expirePlan;
    this.closeActions = closeActions;
    this.clock = clock;
  }

  /** Does for the plan whatever can be done for it now. */
  public void resume(Partition partition, PlanId id) {
    Key key = Plans.key(partition, id);
    List<Key> keys = new ArrayList<>(ClaimPlan.Standing.keys(partition));
    keys.add(key);
    Map<Key, Item> items = store.getByKey(keys);
    ClaimPlan.Standing standing = ClaimPlan.Standing.read(partition, items);
    Optional.ofNullable(items.get(key))
        .map(item -> plans.read(item, standing.halts()))
        .ifPresent(plan -> resume(plan, standing));
  }

  /**
   * Runs the oldest plan that waits for the entity, whose lock was given back. What goes wrong with
   * it is not its predecessor's matter: then it is woken, to be run by an invocation of its own.
   */
  void runNext(Partition partition, String entityKey) {
    Optional<PlanId> next = locks.nextWaiter(partition, entityKey, null);
    try {
      next.ifPresent(waiter -> resume(partition, waiter));
    } catch (RuntimeException e) {
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("plan_id", next.orElseThrow().value())
          .log("A waiting plan could not be run");
      dispatcher.wake(partition, next.orElseThrow(), KernelTimes.PAUSE);
    }
  }

  private void resume(Plan plan, ClaimPlan.Standing standing) {
    switch (plan.state()) {
      case PROPOSED -> {
        if (plan.overdue(clock.instant())) {
          expirePlan.record(plan);
          leave(plan, allActions(plan));
        } else if (!plan.terms().held()) {
          run(plan, standing);
        }
      }
      case EXECUTING -> start(plan, null);
      case VETOED, EXPIRED -> {
        closeActions.complete(plan);
        leave(plan, allActions(plan));
      }
      case EXECUTED -> leave(plan, allActions(plan));
    }
  }

  /** Claims an unheld plan and sets it going, or has it wait for what it lacks. */
  public void run(Plan plan, List<Action> all) {
    run(plan, all, claim(plan, all));
  }

  /**
   * The same for one that was read just now.
   *
   * @param standing read with it
   */
  private void run(Plan plan, ClaimPlan.Standing standing) {
    Partition partition = plan.partition();
    Key operator = Operators.key(partition, plan.terms().operatorId());
    List<Key> actionKeys =
        plan.terms().actionIds().stream().map(id -> Actions.key(partition, id)).toList();
    List<Key> keys = new ArrayList<>(actionKeys);
    keys.add(operator);
    Map<Key, Item> items = store.getByKey(keys);
    List<Action> all =
        actionKeys.stream().map(items::get).filter(Objects::nonNull).map(Actions::read).toList();
    Optional<Operator> owner = Optional.ofNullable(items.get(operator)).map(operators::read);
    run(plan, all, claimPlan.claimUnheld(plan, all, owner, standing, leaving(plan, all)));
  }

  /** Whether the plan's claim takes it off the lists of waiters: it waits, and there is room. */
  private static boolean leaves(Plan plan, List<Action> all) {
    return plan.waitingOn() == WaitingOn.LOCK
        && 1 + 2 * Action.entities(all).size() <= ClaimPlan.MOST_ITEMS;
  }

  private static List<Write> leaving(Plan plan, List<Action> all) {
    return leaves(plan, all)
        ? Action.entities(all).stream()
            .map(entity -> EntityLocks.forgetting(plan.partition(), entity, plan.id()))
            .toList()
        : List.of();
  }

  /**
   * The same for a plan that was stored just now.
   *
   * @param first what a first attempt to claim it came to
   */
  void run(Plan plan, List<Action> all, ClaimPlan.Result first) {
    Set<String> met = new HashSet<>();
    ClaimPlan.Result result = first;
    while (!settled(plan, all, result, met)) {
      result = claim(plan, all);
    }
  }

  /**
   * A plan was stored just now as one that waits for this lock: unless it is still held, whose
   * holder then knows of the plan, it is claimed.
   */
  void runWaiting(Plan plan, List<Action> all, EntityLock lock) {
    if (locks.held(plan.partition(), lock.entityKey()).isEmpty()) {
      run(plan, all);
    }
  }

  private ClaimPlan.Result claim(Plan plan, List<Action> all) {
    Set<ActionId> every = Set.copyOf(plan.terms().actionIds());
    return claimPlan.claim(plan, all, every, plan.id().value(), null, leaving(plan, all));
  }

  /**
   * Does what follows from an attempt to claim an unheld plan.
   *
   * @param met the entities whose locks it has met
   * @return whether that was all; if not, it is to be tried again
   */
  private boolean settled(Plan plan, List<Action> all, ClaimPlan.Result result, Set<String> met) {
    boolean waited = !met.isEmpty() || plan.waitingOn() == WaitingOn.LOCK;
    switch (result) {
      case ClaimPlan.Result.Claimed(Plan claimed, boolean fresh) -> {
        // Before it runs: who gives a lock back looks for the next that waits for it.
        if (waited && !(fresh && leaves(plan, all))) {
          forget(claimed, Action.entities(all));
        }
        start(claimed, fresh ? all : null);
        if (waited) {
          passOn(claimed, unlocked(claimed, all));
        }
      }
      case ClaimPlan.Result.NotOpen _ -> {}
      // Lifting wakes what waits for its execution.
      case ClaimPlan.Result.Halted _ -> await(plan, WaitingOn.EXECUTION, all, waited);
      case ClaimPlan.Result.NoAllowance _ -> await(plan, WaitingOn.ALLOWANCE, all, waited);
      case ClaimPlan.Result.Locked(EntityLock lock) -> {
        return awaitLock(plan, all, lock, met.add(lock.entityKey()));
      }
    }
    return true;
  }

  /** Has a plan wait for something else than a lock; until then nobody is to wait behind it. */
  private void await(Plan plan, WaitingOn waitingOn, List<Action> all, boolean waited) {
    if (waited || plan.waitingOn() != waitingOn) {
      await(plan, waitingOn);
      passOn(plan, Action.entities(all));
    }
  }

  /**
   * Registers a plan as a waiter. Looking at the lock after that leaves no moment at which its
   * release could be missed.
   *
   * @param first whether it has not met this lock before
   * @return whether it is to wait; if not, the lock has gone
   */
  private boolean awaitLock(Plan plan, List<Action> all, EntityLock lock, boolean first) {
    Partition partition = plan.partition();
    if (first) {
      locks.await(lock, plan);
      if (plan.waitingOn() != WaitingOn.LOCK) {
        await(plan, WaitingOn.LOCK);
      }
      if (locks.held(partition, lock.entityKey()).isEmpty()) {
        return false;
      }
    }
    Set<String> others = new LinkedHashSet<>(Action.entities(all));
    others.remove(lock.entityKey());
    passOn(plan, others);
    return true;
  }

  /**
   * Sets a claimed plan going, or going again.
   *
   * @param unsettled all of its actions, if it was claimed just now, so that none can be settled;
   *     null if they are to be looked at
   */
  public void start(Plan plan, @Nullable List<Action> unsettled) {
    closeActions.completeSkipped(plan);
    if (unsettled == null) {
      finishPlan.advance(plan);
    } else {
      finishPlan.begin(plan, unsettled);
    }
  }

  private void await(Plan plan, WaitingOn waitingOn) {
    store.write(Plans.await(plan, waitingOn, KernelTimes.recheck(plan, clock.instant())));
  }

  /** A plan that is no longer open waits for nothing. */
  private void leave(Plan plan, List<Action> all) {
    Set<String> entities = Action.entities(all);
    forget(plan, entities);
    passOn(plan, entities);
  }

  private void forget(Plan plan, Set<String> entities) {
    entities.forEach(entity -> locks.forget(plan.partition(), entity, plan.id()));
  }

  /** The entities that a plan was claimed without: all of whose actions the policy refused. */
  private static Set<String> unlocked(Plan claimed, List<Action> all) {
    Set<ActionId> refused = Objects.requireNonNull(claimed.claim()).refused();
    Set<String> entities = Action.entities(all);
    entities.removeAll(
        Action.entities(all.stream().filter(action -> !refused.contains(action.id())).toList()));
    return entities;
  }

  /**
   * Hands on the turns of a plan that had its own, or cannot use them now: nobody waits behind a
   * plan that waits elsewhere.
   */
  private void passOn(Plan plan, Set<String> entities) {
    for (String entity : entities) {
      if (locks.held(plan.partition(), entity).isEmpty()) {
        finishPlan.wakeNext(plan.partition(), entity, plan.id());
      }
    }
  }

  private List<Action> allActions(Plan plan) {
    return actions.findAll(plan.partition(), plan.terms().actionIds());
  }
}
