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
 * Waits for what comes of plans and actions, for who reads or proposes them (contract for agents,
 * section 2). Beyond a moment such a wait takes one of its key's slots, one of the tenant's, and
 * one of the function's; without one it ends, and what was waited for is answered as it stands.
 * Thread-safe.
 */
public final class AwaitPlan {
  /** No action is disposed sooner after it was sent: a queue and seven requests are before it. */
  public static final Duration UNDER_WAY = Duration.ofMillis(90);

  private final PlannedActions planned;
  private final ExpirePlan expirePlan;
  private final SlottedWait wait;
  private final Bounds bounds;
  private final InstantSource clock;

  /**
   * How many may wait.
   *
   * @param ofTenant those of one tenant, besides its approvals and undos
   * @param ofFunction those of all tenants in the function that this is a part of; null where
   *     nothing bounds how many requests it answers at once
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
   * The plan as it stands once it is disposed, or waits for somebody, or the time is over. A lock
   * is waited for: it goes by itself.
   *
   * @param plan as it was proposed just now
   * @param patience how long to wait
   */
  public Plan atRest(Caller caller, Plan plan, Duration patience) {
    Duration head = isAtRest(plan) ? Duration.ZERO : UNDER_WAY;
    return until(caller, patience, head, () -> now(plan), AwaitPlan::isAtRest);
  }

  /**
   * The same with its actions, read along: at rest, too, once each of them is disposed, though the
   * plan may not say so yet.
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
    // Who finds that its time is over ends its actions as well.
    return seen.equals(read.plan()) ? read : new Plans.WithActions(seen, planned.allOf(seen));
  }

  /** The plan as it stands once it is disposed, or the time is over. */
  public Plan disposed(Caller caller, Plan plan, Duration patience) {
    return until(caller, patience, Duration.ZERO, () -> now(plan), now -> now.disposedAt() != null);
  }

  /**
   * Waits until the action is disposed or will never run, or the time is over; a plan that is
   * disposed runs nothing any more, though not each of its actions may say so yet.
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
