package io.actiongovernance.kernel;

import io.actiongovernance.access.Allowance;
import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.operator.Operator;
import io.actiongovernance.operator.Operators;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.plan.WaitingOn;
import io.actiongovernance.store.Item;
import io.actiongovernance.store.Key;
import io.actiongovernance.store.Store;
import io.actiongovernance.store.Write;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Runs plans that need no approval. It claims them, or makes them wait for the lock, lift or
 * allowance that they lack. Repeating it changes nothing. Thread-safe.
 */
public final class RunUnheldPlan {
  private final Store store;
  private final Operators operators;
  private final ClaimPlan claimPlan;
  private final EntityLocks locks;
  private final FinishPlan finishPlan;
  private final InstantSource clock;

  public RunUnheldPlan(
      Store store,
      Operators operators,
      ClaimPlan claimPlan,
      EntityLocks locks,
      FinishPlan finishPlan,
      InstantSource clock) {
    this.store = store;
    this.operators = operators;
    this.claimPlan = claimPlan;
    this.locks = locks;
    this.finishPlan = finishPlan;
    this.clock = clock;
  }

  /** Claims the plan and starts it, or makes it wait for what it lacks. */
  void run(Plan plan, List<Action> all) {
    run(plan, all, claim(plan, all));
  }

  /**
   * Runs a plan that was just read.
   *
   * @param tenantState the tenant's state, read together with the plan
   * @param read other items read together with the plan; missing ones are read here
   */
  void run(Plan plan, ClaimPlan.TenantState tenantState, Map<Key, Item> read) {
    Partition partition = plan.partition();
    Waiter waiter = Waiter.of(plan);
    List<Key> keys = waiter.keys(partition);
    Map<Key, Item> items = read.keySet().containsAll(keys) ? read : store.getByKey(keys);
    List<Action> all = waiter.actionsIn(partition, items);
    Key operator = Operators.key(partition, plan.terms().operatorId());
    Optional<Operator> owner = Optional.ofNullable(items.get(operator)).map(operators::read);
    run(plan, all, claimPlan.claimUnheld(plan, all, owner, tenantState, leaving(plan, all)));
  }

  /**
   * Returns whether the plan's claim removes it from the lists of waiters. It does if the plan
   * waits for a lock and the transaction has room.
   */
  private static boolean leaves(Plan plan, List<Action> all) {
    return plan.waitingOn() == WaitingOn.LOCK
        && 2 + 2 * Action.entities(all).size() + Allowance.MOST_ITEMS <= ClaimPlan.MOST_ITEMS;
  }

  private static List<Write> leaving(Plan plan, List<Action> all) {
    return leaves(plan, all)
        ? Action.entities(all).stream()
            .map(entity -> LockWaiters.forgetting(plan.partition(), entity, plan.id()))
            .toList()
        : List.of();
  }

  /**
   * Runs a plan that was just stored.
   *
   * @param first the result of a first attempt to claim it
   */
  void run(Plan plan, List<Action> all, ClaimPlan.Result first) {
    Set<EntityKey> met = new HashSet<>();
    ClaimPlan.Result result = first;
    while (!settled(plan, all, result, met)) {
      result = claim(plan, all);
    }
  }

  /**
   * Runs a plan that was just stored as waiting for this lock. If the lock is still taken, its
   * holder now knows of the plan; otherwise the plan is claimed.
   */
  void runWaiting(Plan plan, List<Action> all, EntityLock lock) {
    Optional<EntityLock> taken = locks.notice(plan.partition(), lock);
    if (taken.isPresent()) {
      claimPlan.met(plan.partition(), lock);
      wakeOnceAsked(plan, taken.get());
    } else {
      run(plan, all);
    }
  }

  private ClaimPlan.Result claim(Plan plan, List<Action> all) {
    ClaimPlan.Basis basis = claimPlan.basis(plan);
    return claimPlan.claimUnheld(
        plan, all, basis.operator(), basis.tenantState(), leaving(plan, all));
  }

  /**
   * Acts on the result of an attempt to claim a plan that needs no approval.
   *
   * @param met the entities whose locks it has found taken
   * @return whether nothing is left to do; if not, the claim must be tried again
   */
  private boolean settled(
      Plan plan, List<Action> all, ClaimPlan.Result result, Set<EntityKey> met) {
    boolean waited = !met.isEmpty() || plan.waitingOn() == WaitingOn.LOCK;
    switch (result) {
      case ClaimPlan.Result.Claimed(Plan claimed, boolean fresh) -> {
        // Done before it runs, because a holder that releases a lock looks for the next waiter.
        if (waited && !(fresh && leaves(plan, all))) {
          forget(claimed, Action.entities(all));
        }
        finishPlan.start(claimed, fresh ? all : null);
        if (waited) {
          passOn(claimed, unlocked(claimed, all));
        }
      }
      // A plan that undoes something is always held, so this does not concern such a plan.
      case ClaimPlan.Result.NotOpen _, ClaimPlan.Result.UndoMet _ -> {}
      // The lift wakes the plans that wait for execution.
      case ClaimPlan.Result.Halted _ -> await(plan, WaitingOn.EXECUTION, all, waited);
      case ClaimPlan.Result.NoAllowance _ -> await(plan, WaitingOn.ALLOWANCE, all, waited);
      case ClaimPlan.Result.Locked(EntityLock lock) -> {
        return awaitLock(plan, all, lock, met.add(lock.entityKey()));
      }
    }
    return true;
  }

  /**
   * Makes a plan wait for something other than a lock. During that time, no plan waits behind it.
   */
  private void await(Plan plan, WaitingOn waitingOn, List<Action> all, boolean waited) {
    if (waited || plan.waitingOn() != waitingOn) {
      await(plan, waitingOn);
      passOn(plan, Action.entities(all));
    }
  }

  /**
   * Registers a plan as a waiter.
   *
   * @param first whether it has not found this lock taken before
   * @return whether it must wait; if not, the lock is gone
   */
  private boolean awaitLock(Plan plan, List<Action> all, EntityLock lock, boolean first) {
    Partition partition = plan.partition();
    if (first) {
      locks.waiters().await(lock, plan);
      if (plan.waitingOn() != WaitingOn.LOCK) {
        await(plan, WaitingOn.LOCK);
      }
    }
    Optional<EntityLock> taken = locks.notice(partition, lock);
    if (taken.isEmpty()) {
      return false;
    }
    wakeOnceAsked(plan, taken.get());
    Set<EntityKey> others = new LinkedHashSet<>(Action.entities(all));
    others.remove(lock.entityKey());
    passOn(plan, others);
    return true;
  }

  /**
   * Wakes the plan when the lock is no longer kept for approvals and undos, because no holder will
   * release it.
   */
  private void wakeOnceAsked(Plan plan, EntityLock taken) {
    Instant now = clock.instant();
    if (taken.ended() && !taken.settling(now)) {
      taken.asked(now).ifPresent(kept -> finishPlan.wakeAfter(plan, kept));
    }
  }

  private void await(Plan plan, WaitingOn waitingOn) {
    store.write(PlanWrites.await(plan, waitingOn, KernelTimes.recheck(plan, clock.instant())));
  }

  /** Removes a plan that is no longer open from all lists of waiters. */
  void leave(Plan plan, List<Action> all) {
    Set<EntityKey> entities = Action.entities(all);
    forget(plan, entities);
    passOn(plan, entities);
  }

  private void forget(Plan plan, Set<EntityKey> entities) {
    entities.forEach(entity -> locks.waiters().forget(plan.partition(), entity, plan.id()));
  }

  /**
   * Returns the entities without which a plan was claimed, because the policy refused all actions
   * on them.
   */
  private static Set<EntityKey> unlocked(Plan claimed, List<Action> all) {
    Set<ActionId> refused = Objects.requireNonNull(claimed.claim()).refused();
    Set<EntityKey> entities = Action.entities(all);
    entities.removeAll(
        Action.entities(all.stream().filter(action -> !refused.contains(action.id())).toList()));
    return entities;
  }

  /**
   * Passes on the turns of a plan that has had them or cannot use them now, because no plan may
   * wait behind one that waits for something else.
   */
  private void passOn(Plan plan, Set<EntityKey> entities) {
    for (EntityKey entity : entities) {
      if (locks.find(plan.partition(), entity).isEmpty()) {
        finishPlan.wakeNext(plan.partition(), entity, plan.id());
      }
    }
  }
}
