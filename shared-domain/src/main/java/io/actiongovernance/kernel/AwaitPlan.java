package io.actiongovernance.kernel;

import io.actiongovernance.access.Caller;
import io.actiongovernance.access.WaitSlots.Pool;
import io.actiongovernance.action.Action;
import io.actiongovernance.id.TenantId;
import io.actiongovernance.plan.ExpirePlan;
import io.actiongovernance.plan.Plan;
import io.actiongovernance.plan.PlannedActions;
import io.actiongovernance.plan.Plans;
import io.actiongovernance.plan.WaitingOn;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the outcome of plans and actions, for callers that read or propose them (contract for
 * agents, section 2). A wait longer than a moment takes one slot each of its key, of the tenant and
 * of the function. Without a slot the wait ends, and the caller gets the current state.
 * Thread-safe.
 */
public final class AwaitPlan {
  /**
   * Shortest time between sending an action and disposing of it, because of a queue and seven
   * requests.
   */
  public static final Duration UNDER_WAY = Duration.ofMillis(90);

  private final PlannedActions planned;
  private final ExpirePlan expirePlan;
  private final SlottedWait wait;
  private final Bounds bounds;
  private final InstantSource clock;

  /**
   * Bounds on concurrent waits.
   *
   * @param ofTenant waits of one tenant, apart from its approvals and undos
   * @param ofFunction waits of all tenants in this function; null if nothing bounds its concurrent
   *     requests
   */
  public record Bounds(int ofTenant, @Nullable Pool ofFunction) {
    private List<Pool> pools(Caller caller) {
      TenantId tenant = caller.partition().tenant();
      return Stream.of(
              Pool.ofCaller(tenant, caller.principal()),
              Pool.ofReaders(tenant, ofTenant),
              ofFunction)
          .filter(Objects::nonNull)
          .toList();
    }
  }

  public AwaitPlan(
      PlannedActions planned,
      ExpirePlan expirePlan,
      SlottedWait wait,
      Bounds bounds,
      InstantSource clock) {
    this.planned = planned;
    this.expirePlan = expirePlan;
    this.wait = wait;
    this.bounds = bounds;
    this.clock = clock;
  }

  /**
   * Returns the plan when it is disposed, when it waits for an approval, the allowance or the lift
   * of a halt, or when the patience has run out. A wait for a lock continues, because locks are
   * released without intervention.
   *
   * @param plan the plan as it was just proposed
   */
  public Plan atRest(Caller caller, Plan plan, Duration patience) {
    Duration head = isAtRest(plan) ? Duration.ZERO : UNDER_WAY;
    return until(caller, patience, head, () -> now(plan), AwaitPlan::isAtRest);
  }

  /**
   * Returns the plan with its actions, read together. Also returns when every action is disposed,
   * although the plan may not be marked as disposed yet.
   */
  public Plans.WithActions atRestWithActions(Caller caller, Plan plan, Duration patience) {
    Duration head = isAtRest(plan) ? Duration.ZERO : UNDER_WAY;
    return until(
        caller,
        patience,
        head,
        () -> nowWithActions(plan),
        now ->
            isAtRest(now.plan())
                || now.actions().stream().allMatch(action -> action.disposal() != null));
  }

  private Plans.WithActions nowWithActions(Plan plan) {
    Plans.WithActions read =
        planned
            .plans()
            .findWithActions(plan)
            .orElseGet(() -> new Plans.WithActions(plan, planned.allOf(plan)));
    Plan seen = expirePlan.seen(read.plan());
    // Recording an expiry also ends the plan's actions, so they are read again.
    return seen.equals(read.plan()) ? read : new Plans.WithActions(seen, planned.allOf(seen));
  }

  /** Returns the plan when it is disposed or the patience has run out. */
  public Plan disposed(Caller caller, Plan plan, Duration patience) {
    return until(caller, patience, Duration.ZERO, () -> now(plan), now -> now.disposedAt() != null);
  }

  /**
   * Waits until the action is disposed or will never run, or until the patience has run out. A
   * disposed plan runs nothing more, although some of its actions may not be marked as disposed
   * yet.
   */
  public void disposed(Caller caller, Action action, Duration patience) {
    boolean undo = action.terms().undoesAtOnce();
    until(
        caller,
        patience,
        Duration.ZERO,
        () -> planned.actions().find(action.partition(), action.id()).orElse(action),
        now ->
            now.settled()
                || (!undo
                    && planned.planOf(now).filter(plan -> plan.disposedAt() != null).isPresent()));
  }

  private Plan now(Plan plan) {
    return planned.plans().find(plan.partition(), plan.id()).map(expirePlan::seen).orElse(plan);
  }

  private <T> T until(
      Caller caller, Duration patience, Duration head, Supplier<T> read, Predicate<T> isOver) {
    return wait.forReader(
            bounds.pools(caller),
            clock.instant().plus(patience),
            head,
            () -> Optional.of(read.get()).filter(isOver))
        .orElseGet(read);
  }

  private static boolean isAtRest(Plan plan) {
    return plan.disposedAt() != null
        || plan.waitingOn() == WaitingOn.APPROVAL
        || plan.waitingOn() == WaitingOn.ALLOWANCE
        || plan.freeze().standing();
  }
}
