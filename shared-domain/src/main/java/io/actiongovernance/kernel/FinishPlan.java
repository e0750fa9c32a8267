package io.actiongovernance.kernel;

import io.actiongovernance.access.Partition;
import io.actiongovernance.action.Action;
import io.actiongovernance.action.Actions;
import io.actiongovernance.id.ActionId;
import io.actiongovernance.id.EntityKey;
import io.actiongovernance.id.PlanId;
import io.actiongovernance.plan.CloseActions;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlanOutcomes;
import io.actiongovernance.plan.PlanWrites;
import io.actiongovernance.store.Store;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Advances an executing plan after each disposal. It dispatches the next action of an entity,
 * passes a lock that is no longer needed to the oldest waiter, and ends a fully disposed plan. It
 * keeps no counts but reads stored state, so repeating it is harmless. Thread-safe.
 */
public final class FinishPlan {
  private final Store store;
  private final Actions actions;
  private final EntityLocks locks;
  private final CloseActions closeActions;
  private final Dispatcher dispatcher;
  private final InstantSource clock;

  public FinishPlan(
      Store store,
      Actions actions,
      EntityLocks locks,
      CloseActions closeActions,
      Dispatcher dispatcher,
      InstantSource clock) {
    this.store = store;
    this.actions = actions;
    this.locks = locks;
    this.closeActions = closeActions;
    this.dispatcher = dispatcher;
    this.clock = clock;
  }

  /** Does everything that can be done for the plan now, except executing an action. */
  public void advance(Plan plan) {
    advance(plan, actions.findAll(plan.partition(), plan.selected()), clock.millis());
  }

  /**
   * Starts a claimed plan, or resumes it.
   *
   * @param unsettled all of its actions, if it was just claimed, so that none can be settled yet;
   *     null to read them
   */
  void start(Plan plan, @Nullable List<Action> unsettled) {
    closeActions.completeSkipped(plan);
    if (unsettled == null) {
      advance(plan);
    } else {
      begin(plan, unsettled);
    }
  }

  /** Starts a plan that was just claimed. None of its actions can be settled yet. */
  private void begin(Plan plan, List<Action> all) {
    Set<ActionId> selected = Set.copyOf(plan.selected());
    advance(
        plan,
        all.stream().filter(action -> selected.contains(action.id())).toList(),
        Dispatcher.FIRST);
  }

  private void advance(Plan plan, List<Action> selected, long number) {
    Plan.Claim claim = Objects.requireNonNull(plan.claim());
    Set<EntityKey> waiting = new HashSet<>();
    Set<EntityKey> done = new LinkedHashSet<>();
    for (Action action : selected) {
      EntityKey entity = action.terms().entityKey();
      boolean refused = claim.refused().contains(action.id());
      if (action.settled() && !refused) {
        done.add(entity);
      } else if (!action.settled() && (refused || waiting.add(entity))) {
        dispatcher.dispatch(refused ? Dispatch.refused(action) : Dispatch.of(action), number);
      }
    }
    done.removeAll(waiting);
    for (EntityKey entity : done) {
      if (locks.release(plan.partition(), entity, plan.id().value())) {
        wakeNext(plan.partition(), entity, null);
      }
    }
    if (selected.stream().allMatch(Action::settled)) {
      end(plan, selected);
    }
  }

  /**
   * Advances the plan after this action was disposed, with as few requests as possible.
   *
   * @return whether that released a lock for which a plan may wait; the next plan in line must then
   *     be run
   */
  boolean after(Plan plan, Action disposed) {
    Plan.Claim claim = Objects.requireNonNull(plan.claim());
    boolean refused = claim.refused().contains(disposed.id());
    List<Action> selected = actions.findAll(plan.partition(), plan.selected());
    boolean released = false;
    if (!refused) {
      Optional<Action> next =
          selected.stream()
              .filter(action -> !action.settled() && !claim.refused().contains(action.id()))
              .filter(action -> action.terms().entityKey().equals(disposed.terms().entityKey()))
              .findFirst();
      if (next.isPresent()) {
        dispatcher.dispatch(Dispatch.of(next.get()), Dispatcher.FIRST);
      } else {
        released = locks.release(plan.partition(), disposed.terms().entityKey(), plan.id().value());
      }
    }
    if (selected.stream().allMatch(Action::settled)) {
      end(plan, selected);
    }
    return released;
  }

  /** Returns whether every earlier action of the plan on the same entity is settled. */
  public boolean isNext(Plan plan, Action action) {
    int position = action.terms().position();
    List<ActionId> earlier = plan.terms().actionIds().subList(0, position);
    Plan.Claim claim = Objects.requireNonNull(plan.claim());
    List<ActionId> selected =
        earlier.stream()
            .filter(claim.digests()::containsKey)
            .filter(id -> !claim.refused().contains(id))
            .toList();
    return actions.findAll(plan.partition(), selected).stream()
        .filter(other -> other.terms().entityKey().equals(action.terms().entityKey()))
        .allMatch(Action::settled);
  }

  /** Wakes the oldest plan that waits for the entity, or the oldest one after the given plan. */
  void wakeNext(Partition partition, EntityKey entityKey, @Nullable PlanId after) {
    locks
        .waiters()
        .nextWaiter(partition, entityKey, after)
        .ifPresent(waiter -> dispatcher.wake(partition, waiter.plan(), Duration.ZERO));
  }

  void wakeAfter(Plan plan, Duration pause) {
    dispatcher.wake(plan.partition(), plan.id(), pause);
  }

  /** Ends a plan whose actions are all settled. */
  void end(Plan plan) {
    end(plan, actions.findAll(plan.partition(), plan.selected()));
  }

  private void end(Plan plan, List<Action> settled) {
    closeActions.completeSkipped(plan);
    // A refusal means that the last two actions ended at once, and the other one ended the plan
    // first.
    store.write(PlanWrites.finish(plan, PlanOutcomes.of(settled), clock.instant()));
  }
}
